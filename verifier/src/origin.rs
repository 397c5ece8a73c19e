//! By whom the facts of an evidence file were sealed: the place `origin` of docs/evidence.md.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::avro::Value;
use crate::evidence::Event;
use crate::fault::{place, Result};
use crate::hash::{hex, sha256};
use crate::source_seal::MARK_BYTES;

const COMMAND_BYTES: usize = 16;

/// What a file proves of the source of a fact.
pub struct Origin {
    /// Of the fact.
    pub position: u64,
    pub system: String,
    pub is_registered: bool,
    /// SHA-256 of the certificate of the source; none if it cannot seal.
    pub certificate: Option<String>,
    pub seal: Option<Sealed>,
}

/// The seal of a fact.
pub struct Sealed {
    pub position: u64,
    /// Of the command, in the count of its source.
    pub number: i64,
    /// Whether the digest over all its commands was computed again.
    pub is_whole: bool,
}

impl Origin {
    /// `sealed`, `unsealed`, `unable` or `unregistered`.
    pub fn state(&self) -> &'static str {
        match (&self.seal, &self.certificate) {
            (Some(_), _) => "sealed",
            (None, Some(_)) => "unsealed",
            (None, None) if self.is_registered => "unable",
            (None, None) => "unregistered",
        }
    }
}

/// Registrations and seals of a file in the order of its messages.
pub struct Sources<'a> {
    lists: BTreeMap<u64, &'a [u8]>,
    events: Vec<&'a Event>,
    registered: HashMap<&'a str, &'a Event>,
    /// Systems whose last registration no seal needed yet.
    idle: BTreeSet<&'a str>,
    seals: Vec<(&'a Event, &'a Event)>,
}

impl<'a> Sources<'a> {
    /// Start before the first message; without facts of a round nothing of a source is accepted.
    pub fn new(lists: &'a [(u64, Vec<u8>)], events: Vec<&'a Event>) -> Sources<'a> {
        Sources {
            lists: lists.iter().map(|(at, list)| (*at, list.as_slice())).collect(),
            events,
            registered: HashMap::new(),
            idle: BTreeSet::new(),
            seals: Vec::new(),
        }
    }

    /// Whether a file rests on a message: a registration of a source, or a seal that it names.
    pub fn take(&mut self, event: &'a Event) -> bool {
        let Some(is_valid) = event.is_valid else { return false };
        let system = text(event, "system");
        if event.name == "SourceRegistered" {
            let is_of_fact = self.events.iter().any(|fact| fact.system() == system);
            if !is_valid || !is_of_fact || !self.idle.insert(system) {
                return false;
            }
            self.registered.insert(system, event);
            return true;
        }
        let Some(registration) = self.registered.get(system) else { return false };
        if !self.lists.contains_key(&event.position) {
            return false;
        }
        self.idle.remove(system);
        self.seals.push((event, registration));
        true
    }

    /// What is proved of the facts; nothing if the file registers none of their sources.
    pub fn proved(&self) -> Result<Vec<Origin>> {
        let wrong = |text: String| Err(place("origin", text));
        if self.seals.len() < self.lists.len() {
            return wrong("it names a seal that it does not show".into());
        }
        for (seal, _) in &self.seals {
            let (at, list) = (seal.position, self.lists[&seal.position]);
            if seal.is_valid != Some(true) {
                return wrong(format!("the seal {at} is not signed by the registered key"));
            }
            let count = bytes(seal, "marks").len() / MARK_BYTES;
            let is_whole =
                list.len() == count * COMMAND_BYTES && sha256(&[list]) == bytes(seal, "digest");
            if !list.is_empty() && !is_whole {
                return wrong(format!("the seal {at} has not the digest of its list of commands"));
            }
            if self.events.iter().all(|fact| self.number_in(seal, fact).is_none()) {
                return wrong(format!("the seal {at} has no command of the facts that are shown"));
            }
        }
        let facts = self.events.iter().filter(|_| !self.registered.is_empty());
        Ok(facts.map(|fact| self.origin_of(fact)).collect())
    }

    fn origin_of(&self, fact: &Event) -> Origin {
        let found = self
            .seals
            .iter()
            .find_map(|(seal, by)| self.number_in(seal, fact).map(|number| (seal, by, number)));
        let registration =
            found.map(|(_, by, _)| by).or_else(|| self.registered.get(fact.system()));
        let certificate = registration.map_or(&[][..], |by| bytes(by, "certificate"));
        Origin {
            position: fact.position,
            system: fact.system().to_string(),
            is_registered: registration.is_some(),
            certificate: (!certificate.is_empty()).then(|| hex(&sha256(&[certificate]))),
            seal: found.map(|(seal, _, number)| Sealed {
                position: seal.position,
                number,
                is_whole: !self.lists[&seal.position].is_empty(),
            }),
        }
    }

    /// The number of the command of a fact in a seal, by its mark and, if listed, its identifier.
    fn number_in(&self, seal: &Event, fact: &Event) -> Option<i64> {
        if text(seal, "system") != fact.system() {
            return None;
        }
        let digest = sha256(&[&fact.command_id]);
        let mut marks = bytes(seal, "marks").chunks_exact(MARK_BYTES);
        let mut listed = self.lists[&seal.position].chunks_exact(COMMAND_BYTES);
        let number = marks.position(|mark| {
            let is_listed = listed.next().is_none_or(|one| one == fact.command_id);
            *mark == digest[..MARK_BYTES] && is_listed
        })?;
        let Some(Value::Number(first)) = seal.fact("first_number") else { return None };
        Some(first.saturating_add(number as i64))
    }
}

fn text<'a>(event: &'a Event, name: &str) -> &'a str {
    match event.fact(name) {
        Some(Value::Text(text)) => text,
        _ => "",
    }
}

fn bytes<'a>(event: &'a Event, name: &str) -> &'a [u8] {
    match event.fact(name) {
        Some(Value::Bytes(bytes)) => bytes,
        _ => &[],
    }
}
