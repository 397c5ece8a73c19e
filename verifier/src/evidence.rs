//! Evidence files: the checks of docs/evidence.md, in its order and with its places.

use std::collections::{BTreeMap, BTreeSet};

use ring::aead::{Aad, LessSafeKey, Nonce, UnboundKey, AES_256_GCM, NONCE_LEN};

use crate::avro::{Reader, Value};
use crate::data_part::{self, DataPart, MapValue};
use crate::fault::{place, Fault, Result};
use crate::hash::{entry, hex, leaf, sha256, Hash, ZERO};
use crate::merkle::root_of;
use crate::message::{self, check, decode, role_of, schema_of, Role};
use crate::note::{kind_of, Key, Note, OF_LOGS, OF_WITNESSES};
use crate::origin::{self, Origin};
use crate::schema::{Book, Facts, Schema};
use crate::source_seal::Sources;
use crate::stamp::Stamp;
use crate::tag_map::{bit, climb, tag_leaf, TagValue};

const CHECKPOINT: &str = "CheckpointSigned";

/// An event as its message has it.
pub struct Event {
    pub position: u64,
    pub hash: Hash,
    pub name: String,
    /// Microseconds since 1970.
    pub recorded_at: i64,
    /// Names and values of the facts.
    pub facts: Vec<(String, Value)>,
    pub command_id: [u8; 16],
    /// Of a registration or seal of a source: whether it is one, by what stands before it.
    pub is_valid: Option<bool>,
    source: String,
    tags: Vec<String>,
    sealed: Vec<String>,
}

impl Event {
    pub fn fact(&self, name: &str) -> Option<&Value> {
        self.facts.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// The name of the source of its command.
    pub fn system(&self) -> &str {
        self.source.split('/').next().unwrap_or_default()
    }
}

/// What a data part proves.
pub struct Proved {
    pub data: DataPart,
    pub note: Note,
    pub signers: Vec<Key>,
    pub witnessed: Vec<(Key, i64)>,
    /// Authorities and the moments of their stamps.
    pub stamped: Vec<(String, i64)>,
    /// All events in their order; those of the subject are marked.
    pub events: Vec<(Event, bool)>,
    pub unknown: BTreeMap<String, u64>,
    /// Of the facts of a round, if the file registers a source of one of them.
    pub origins: Vec<Origin>,
    /// How many messages the completeness is about.
    pub complete_to: u64,
}

impl Proved {
    /// The note as the keys of the chain alone signed it, which is what a stamp is over.
    pub fn stamped_note(&self) -> String {
        self.note.with_signatures_of(&self.signers)
    }

    pub fn shown(&self) -> usize {
        self.events.iter().filter(|(_, is_of_subject)| *is_of_subject).count()
    }
}

fn of_message(position: u64, text: impl Into<String>) -> Fault {
    Fault::Integrity {
        position: Some(position as i64),
        place: format!("message {position}"),
        text: text.into(),
    }
}

/// Verify a data part; one of the keys must have signed, if there are any.
pub fn verify(text: &[u8], keys: &[Key]) -> Result<Proved> {
    let (data, is_digest_right) = data_part::read(text)?;
    let hashes = hashes_of(&data)?;
    let (note, map_root) = Note::with_map(&data.note).map_err(|what| place("checkpoint", what))?;
    require_in_tree(&data, &hashes, &note)?;
    if !hashes.contains_key(&0) {
        return Err(of_message(0, "it is not there, and it says whose chain this is"));
    }
    let mut chain = Chain::new(&note.checkpoint.origin);
    let mut events = Vec::new();
    for message in &data.messages {
        let event = chain.read(message.position, hashes[&message.position], &message.body)?;
        let is_of_subject = event.tags.contains(&data.tag);
        events.push((event, is_of_subject));
    }
    let signers = signers_of(&note, &chain.keys, keys)?;
    let mut witnessed = Vec::new();
    for line in &data.witnesses {
        witnessed.push(witness_of(&note, line)?);
    }
    let is_round = data.tag.starts_with("round:");
    let facts = events.iter().filter(|(_, is_of_subject)| is_round && *is_of_subject);
    let mut sources = origin::Sources::new(&data.origin, facts.map(|(event, _)| event).collect());
    require_basis(&data, &events, &mut sources)?;
    let (complete_to, map_root) = match data.completeness.checkpoint {
        Some(at) => map_recorded_at(at, &events)?,
        None => (note.checkpoint.size, map_root),
    };
    require_complete(&data, &hashes, &events, &map_root)?;
    require_opened(&data, &events)?;
    let origins = sources.proved()?;
    if !is_digest_right {
        return Err(place("digest", "the digest at the end is not that of the data part"));
    }
    let unknown = chain.unknown;
    let stamped = Vec::new();
    let mut proved =
        Proved { data, note, signers, witnessed, stamped, events, unknown, origins, complete_to };
    let stamped_note = proved.stamped_note();
    for (authority, answer) in &proved.data.stamps {
        let stamp = Stamp::read(answer, stamped_note.as_bytes())
            .map_err(|what| place("stamp", format!("the one of {authority}: {what}")))?;
        proved.stamped.push((authority.clone(), stamp.moment));
    }
    Ok(proved)
}

fn hashes_of(data: &DataPart) -> Result<BTreeMap<u64, Hash>> {
    let mut hashes: BTreeMap<u64, Hash> = data.withheld.iter().copied().collect();
    for message in &data.messages {
        let hash = leaf(&message.body);
        if hash[..4] != message.mark {
            return Err(of_message(message.position, "its bytes do not give its mark"));
        }
        let mut reader = Reader::new(&message.body);
        reader.at = message::NUMBERS;
        if reader.long() != Ok(message.position as i64) {
            return Err(of_message(message.position, "it says that it stands at another position"));
        }
        hashes.insert(message.position, hash);
    }
    Ok(hashes)
}

fn require_in_tree(data: &DataPart, hashes: &BTreeMap<u64, Hash>, note: &Note) -> Result<()> {
    let leaves: Vec<(u64, Hash)> = hashes.iter().map(|(at, hash)| (*at, *hash)).collect();
    let size = note.checkpoint.size;
    if root_of(size, &leaves, &data.tree) == Some(note.checkpoint.root) {
        return Ok(());
    }
    let count = leaves.len();
    let text =
        format!("the proof that {count} messages are among {size} does not give the signed root");
    Err(place("tree", text))
}

/// What the messages of a file say of their chain, in their order.
struct Chain {
    name: String,
    book: Book,
    recorded_at: i64,
    keys: Vec<Key>,
    sources: Sources,
    unknown: BTreeMap<String, u64>,
}

impl Chain {
    fn new(name: &str) -> Chain {
        Chain {
            name: name.to_string(),
            book: Book::new(),
            recorded_at: 0,
            keys: Vec::new(),
            sources: Sources::default(),
            unknown: BTreeMap::new(),
        }
    }

    fn read(&mut self, position: u64, hash: Hash, body: &[u8]) -> Result<Event> {
        let wrong = |text: String| of_message(position, text);
        let schema = schema_of(&self.book, body).cloned().ok_or_else(|| {
            let fingerprint = hex(body.get(2..10).unwrap_or_default());
            wrong(format!("its schema {fingerprint} does not stand before it"))
        })?;
        if body.len() > message::BYTES_MAX {
            return Err(wrong(format!("it has more than {} bytes", message::BYTES_MAX)));
        }
        check(&schema, body, &mut Vec::new()).map_err(wrong)?;
        let (recorded_at, values) =
            decode(&schema, body).map_err(|what| wrong(what.to_string()))?;
        let facts = Facts { schema: &schema, values: &values };
        self.take(position, &facts)?;
        let is_valid = match role_of(&schema) {
            Role::Registers => Some(self.sources.register(&facts)),
            Role::SealsCommands => Some(self.sources.is_sealed(&self.name, &facts)),
            _ => None,
        };
        if recorded_at < self.recorded_at {
            return Err(wrong("it was recorded before one that stands before it".into()));
        }
        self.recorded_at = recorded_at;
        if !schema.is_known {
            *self.unknown.entry(format!("{} v{}", schema.name, schema.version)).or_default() += 1;
        }
        let mut event = event_of(position, hash, &schema, recorded_at, values);
        event.is_valid = is_valid;
        (event.command_id, event.source) =
            message::command_of(body).map_err(|what| wrong(what.to_string()))?;
        Ok(event)
    }

    /// Take what an event says of the chain itself.
    fn take(&mut self, position: u64, facts: &Facts) -> Result<()> {
        let wrong = |text: &str| of_message(position, text);
        let name = facts.schema.name.as_str();
        if (name == "ChainOpened") != (position == 0) {
            return Err(wrong("the chain is opened by message 0, and by no other"));
        }
        match name {
            "ChainOpened" => {
                let is_ours = facts.text("chain") == self.name
                    && facts.number("format_version") == 1
                    && facts.text("hash_algorithm") == "RFC6962-SHA256";
                if !is_ours {
                    let text =
                        "it opens another chain than the checkpoint names, or another format";
                    return Err(wrong(text));
                }
            }
            "SchemaPublished" => {
                let (name, version) = (facts.text("name"), facts.number("version"));
                self.book
                    .publish(name, version, facts.text("fingerprint"), facts.text("schema"))
                    .map_err(|what| of_message(position, what))?;
            }
            "SigningKeyAdded" => {
                let kind = kind_of(facts.algorithm(), &OF_LOGS);
                let key =
                    kind.and_then(|kind| Key::new(&self.name, kind, facts.bytes("public_key")));
                let key = key.filter(|key| {
                    hex(&key.id()) == facts.text("key_id")
                        && self.keys.iter().all(|other| other.id() != key.id())
                });
                let text = "it adds something that is no key, or one that was there";
                self.keys.push(key.ok_or_else(|| wrong(text))?);
            }
            _ => {}
        }
        Ok(())
    }
}

fn event_of(
    position: u64, hash: Hash, schema: &Schema, recorded_at: i64, values: Vec<Value>,
) -> Event {
    let (mut tags, mut sealed) = (Vec::new(), Vec::new());
    for (field, value) in schema.facts.iter().zip(&values) {
        if let Some(kind) = &field.tag {
            let texts = match value {
                Value::Text(text) => std::slice::from_ref(text),
                Value::Texts(texts) => texts,
                _ => &[],
            };
            tags.extend(
                texts.iter().filter(|text| !text.is_empty()).map(|text| format!("{kind}:{text}")),
            );
        }
        let is_empty = matches!(value, Value::Bytes(bytes) if bytes.is_empty())
            || matches!(value, Value::Text(text) if text.is_empty());
        if field.is_personal && !is_empty {
            sealed.push(field.name.clone());
        }
    }
    let names = schema.facts.iter().map(|field| field.name.clone());
    let facts = names.zip(values).collect();
    Event {
        position,
        hash,
        name: schema.name.clone(),
        recorded_at,
        facts,
        command_id: [0; 16],
        is_valid: None,
        source: String::new(),
        tags,
        sealed,
    }
}

fn signers_of(note: &Note, own: &[Key], trusted: &[Key]) -> Result<Vec<Key>> {
    let wrong = |text: String| place("checkpoint", text);
    for key in trusted.iter().filter(|key| key.name == note.checkpoint.origin) {
        if own.iter().any(|other| other.id() == key.id() && other.public != key.public) {
            let id = hex(&key.id());
            return Err(wrong(format!(
                "the chain has another key {id} than the one that you trust"
            )));
        }
    }
    let mut found: Vec<Key> = Vec::new();
    for signature in note.signatures.iter().filter(|line| line.name == note.checkpoint.origin) {
        let Some(key) = own.iter().find(|key| key.id() == signature.id) else { continue };
        if !key.verifies(note.text.as_bytes(), &signature.bytes) {
            return Err(wrong(format!("the signature of key {} is false", hex(&signature.id))));
        }
        found.push(key.clone());
    }
    if found.is_empty() {
        return Err(wrong("no key that the chain introduces signed it".into()));
    }
    if !trusted.is_empty() && !found.iter().any(|key| trusted.contains(key)) {
        let names: Vec<String> = found.iter().map(|key| hex(&key.id())).collect();
        let text = format!("it is signed by {}, and by none of the keys given", names.join(", "));
        return Err(wrong(text));
    }
    Ok(found)
}

fn witness_of(note: &Note, line: &str) -> Result<(Key, i64)> {
    let wrong = |text: String| place("checkpoint", text);
    let key = Key::parse(line).map_err(wrong)?;
    let is_false = || wrong(format!("the cosignature of {} is false, or not there", key.name));
    if !OF_WITNESSES.contains(&key.kind) || key.line() != line {
        return Err(is_false());
    }
    let mut last = None;
    for moment in note.cosigned_by(&key) {
        let seconds =
            moment.and_then(|seconds| i64::try_from(seconds).ok()).ok_or_else(is_false)?;
        let microseconds = seconds.checked_mul(1_000_000).ok_or_else(is_false)?;
        if microseconds >= message::MOMENT_END {
            return Err(is_false());
        }
        last = Some(microseconds);
    }
    let moment = last.ok_or_else(is_false)?;
    Ok((key, moment))
}

/// Refuse what a subject does not rest on: the rules of another game, limits of another table.
fn require_basis<'a>(
    data: &DataPart, events: &'a [(Event, bool)], sources: &mut origin::Sources<'a>,
) -> Result<()> {
    let opening = events
        .iter()
        .find(|(event, is_of_subject)| {
            *is_of_subject && matches!(event.name.as_str(), "RoundOpened" | "HandStarted")
        })
        .map(|(event, _)| event);
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (event, _) in events.iter().filter(|(_, is_of_subject)| !is_of_subject) {
        let is_of_chain =
            matches!(event.name.as_str(), "ChainOpened" | "SchemaPublished" | "SigningKeyAdded")
                || (event.name == CHECKPOINT
                    && data.completeness.checkpoint == Some(event.position));
        let is_of_opening = || opening.is_some_and(|opening| rests_on(opening, event, &seen));
        if !is_of_chain && !sources.take(event) && !is_of_opening() {
            let text = "it is neither of the subject nor something that this rests on";
            return Err(of_message(event.position, text));
        }
        seen.insert(&event.name);
    }
    Ok(())
}

/// Size and map of the checkpoint that a message records; the signers of the tree vouch for it.
fn map_recorded_at(position: u64, events: &[(Event, bool)]) -> Result<(u64, Hash)> {
    let found = events
        .iter()
        .map(|(event, _)| event)
        .find(|event| event.position == position && event.name == CHECKPOINT);
    let of_event = |event: &Event| {
        let Some(Value::Number(size)) = event.fact("size") else { return None };
        let Some(Value::Bytes(root)) = event.fact("map_root") else { return None };
        let size = u64::try_from(*size).ok().filter(|size| (1..=position).contains(size))?;
        Some((size, root.as_slice().try_into().ok()?))
    };
    let text = format!("message {position} is no checkpoint with a tag map");
    found.and_then(of_event).ok_or_else(|| place("completeness", text))
}

/// Whether a round that began so rests on an event, the first of its type.
fn rests_on(opening: &Event, event: &Event, seen: &BTreeSet<&str>) -> bool {
    if event.position > opening.position || seen.contains(event.name.as_str()) {
        return false;
    }
    let is_same = |name: &str| event.fact(name) == opening.fact(name);
    match event.name.as_str() {
        "ClockMeasured" | "OperatorRulesPublished" => true,
        "RulesPublished" => is_same("game") && is_same("plan_version"),
        "TableOpened" => is_same("table"),
        "TableLimitsSet" => {
            let since = match event.fact("effective_from") {
                Some(Value::Number(since)) => *since,
                _ => 0,
            };
            seen.contains("TableOpened") && since <= opening.recorded_at && is_same("table")
        }
        _ => false,
    }
}

fn incomplete<T>(text: impl Into<String>) -> Result<T> {
    Err(place("completeness", text))
}

fn require_complete(
    data: &DataPart, hashes: &BTreeMap<u64, Hash>, events: &[(Event, bool)], map_root: &Hash,
) -> Result<()> {
    let said = &data.completeness;
    let mut positions: Vec<u64> = data.withheld.iter().map(|(at, _)| *at).collect();
    positions.extend(events.iter().filter(|(_, is)| *is).map(|(event, _)| event.position));
    positions.sort_unstable();
    match &said.value {
        None if !positions.is_empty() || said.begin > 0 || !said.entries.is_empty() => {
            return incomplete("there are events of the subject, and it says none");
        }
        None => {}
        Some(value) => {
            let entries: Vec<(u64, Hash)> = positions
                .iter()
                .zip(said.begin..)
                .map(|(position, number)| (number, entry(*position, &hashes[position])))
                .collect();
            if root_of(value.count, &entries, &said.entries) != Some(value.root) {
                return incomplete("the events are not those that the tag map counts");
            }
        }
    }
    require_in_map(data, map_root)?;
    require_period(data, &positions, events)
}

fn require_in_map(data: &DataPart, map_root: &Hash) -> Result<()> {
    let said = &data.completeness;
    let key = sha256(&[data.tag.as_bytes()]);
    let depth = said.siblings.len();
    let no_proof = || incomplete("what is said of the subject is no proof of it");
    if depth > 256 || (said.value.is_some() && said.other.is_some()) {
        return no_proof();
    }
    let found = match (&said.value, &said.other) {
        (Some(value), _) => tag_leaf(&key, &value_of(value)),
        (None, Some((other, value))) => {
            let begins_alike = (0..depth).all(|place| bit(other, place) == bit(&key, place));
            if *other == key || !begins_alike {
                return no_proof();
            }
            tag_leaf(other, &value_of(value))
        }
        (None, None) => ZERO,
    };
    if climb(&key, found, &said.siblings) != *map_root {
        return incomplete("what is said of the subject is not in the tag map that was signed");
    }
    Ok(())
}

fn value_of(value: &MapValue) -> TagValue {
    TagValue { count: value.count, last: value.last, root: value.root }
}

/// What is not shown of an account lies outside of its period.
fn require_period(data: &DataPart, positions: &[u64], events: &[(Event, bool)]) -> Result<()> {
    let said = &data.completeness;
    let Some(value) = &said.value else { return Ok(()) };
    let moment_at = |position: Option<&u64>| {
        events
            .iter()
            .find(|(event, is)| *is && Some(&event.position) == position)
            .map(|(event, _)| event.recorded_at)
    };
    if said.begin > 0 {
        let is_outside = match (moment_at(positions.first()), data.first) {
            (Some(begins), Some(first)) => begins < first,
            _ => false,
        };
        if !is_outside {
            return incomplete("events before the first one shown may belong to the period");
        }
    }
    if said.begin + (positions.len() as u64) < value.count {
        let is_outside = match (moment_at(positions.last()), data.end) {
            (Some(ends), Some(end)) => ends >= end,
            _ => false,
        };
        if !is_outside {
            return incomplete("events behind the last one shown may belong to the period");
        }
    }
    Ok(())
}

/// Each disclosed key opens its sealed field, which is named once.
fn require_opened(data: &DataPart, events: &[(Event, bool)]) -> Result<()> {
    let mut before = BTreeSet::new();
    for (position, field, key) in &data.opened {
        let event = events
            .iter()
            .map(|(event, _)| event)
            .find(|event| event.position == *position && event.sealed.contains(field));
        let (Some(event), true) = (event, before.insert((position, field))) else {
            let text =
                format!("message {position} has no sealed field {field}, or it is opened twice");
            return Err(place("opened", text));
        };
        if key.is_some_and(|key| open_sealed(event, field, &key).is_none()) {
            let text = format!("the key of message {position} does not open its field {field}");
            return Err(place("opened", text));
        }
    }
    Ok(())
}

/// The text of a sealed field (docs/format.md, Personal fields), if the key is its own.
fn open_sealed(event: &Event, field: &str, key: &[u8; 32]) -> Option<String> {
    let (Some(Value::Text(person)), Some(Value::Bytes(sealed))) =
        (event.fact("person"), event.fact(field))
    else {
        return None;
    };
    let (nonce, body) = sealed.split_at_checked(NONCE_LEN)?;
    let associated = format!("{person}|{}.{field}", event.name);
    let own = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).ok()?);
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let mut body = body.to_vec();
    let plain = own.open_in_place(nonce, Aad::from(associated.as_bytes()), &mut body).ok()?;
    let (commitment, text) = plain.split_at_checked(32)?;
    if commitment.iter().any(|byte| *byte != 0) {
        return None;
    }
    String::from_utf8(text.to_vec()).ok()
}
