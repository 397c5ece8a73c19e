//! How far witnesses, time stamps and seals cover a chain, by a policy and roots that the reader trusts.

use std::collections::BTreeMap;

use rustls::pki_types::CertificateDer;

use crate::chain::{Found, Statement};
use crate::fault::{at, Result};
use crate::hash::{hex, Hash};
use crate::message::Role;
use crate::note::{base64, kind_of, Checkpoint, Key, Note, OF_WITNESSES};
use crate::policy::Policy;
use crate::schema::Facts;
use crate::seal::Seal;
use crate::stamp::Stamp;

/// Clocks may be apart by so many microseconds.
const APART: i64 = 60_000_000;

const SECOND: i64 = 1_000_000;

/// Who is trusted with cosignatures, time stamps and seals.
#[derive(Default)]
pub struct Judges {
    pub policy: Option<Policy>,
    pub roots: Option<Vec<CertificateDer<'static>>>,
    pub authorities: Option<Vec<CertificateDer<'static>>>,
}

/// How many messages are witnessed and stamped, where that was asked, and sealed, and what lacks.
#[derive(Default)]
pub struct Cover {
    pub witnessed: Option<u64>,
    pub stamped: Option<u64>,
    /// Without authorities given, the issuer of the certificate was not checked.
    pub sealed: Option<u64>,
    pub seal_certificate: Option<String>,
    pub lacking: Vec<String>,
}

struct Signed {
    recorded_at: i64,
    text: String,
    /// The note as the log alone signed it.
    note: String,
    size: u64,
    cosignatures: Vec<String>,
    stamps: Vec<(String, Vec<u8>)>,
    /// When each seal was recorded, and its bytes.
    seals: Vec<(i64, Vec<u8>)>,
}

/// Check what a chain recorded of its checkpoints.
pub fn of_chain(found: &Found, statements: &[Statement], judges: &Judges) -> Result<Cover> {
    let is_asked =
        judges.policy.is_some() || judges.roots.is_some() || judges.authorities.is_some();
    if !is_asked && statements.iter().all(|one| one.role != Role::Seals) {
        return Ok(Cover::default());
    }
    let signed = collect(found, statements)?;
    let (mut witnessed, mut stamped) = (None, None);
    let (mut missing, mut problem) = (String::new(), String::new());
    for (number, one) in signed.iter().rev().enumerate() {
        if let Some(policy) = &judges.policy {
            let note = format!("{}{}", one.note, one.cosignatures.concat());
            let note = Note::parse(&note).map_err(|what| crate::fault::place("", what))?;
            let cosigned = policy.cosigned(&note)?;
            if number == 0 {
                missing = policy.missing(&cosigned);
            }
            if witnessed.is_none() && policy.is_met(&cosigned) {
                witnessed = Some(one.size);
            }
        }
        if let (None, Some(roots)) = (stamped, &judges.roots) {
            for (authority, stamp) in &one.stamps {
                let verified =
                    Stamp::read(stamp, one.note.as_bytes()).and_then(|read| read.verify(roots));
                match verified {
                    Ok(()) => stamped = Some(one.size),
                    Err(what) if problem.is_empty() => problem = format!("{authority}: {what}"),
                    Err(_) => {}
                }
            }
        }
    }
    let last = signed.last().map_or(0, |one| one.size);
    let mut cover = sealed(&signed, judges, last);
    if judges.policy.is_some() {
        cover.witnessed = Some(witnessed.unwrap_or(0));
        if witnessed.is_none_or(|size| size < last) {
            cover.lacking.push(unwitnessed(last, &missing, witnessed));
        }
    }
    if judges.roots.is_some() {
        cover.stamped = Some(stamped.unwrap_or(0));
        if stamped.is_none_or(|size| size < last) {
            let why = if problem.is_empty() { String::new() } else { format!(" ({problem})") };
            let text =
                "UNSTAMPED: the last checkpoint bears no time stamp that the roots vouch for";
            cover.lacking.push(format!("{text}{why}."));
        }
    }
    Ok(cover)
}

/// The newest checkpoint with a seal; with authorities given, one that they vouch for.
fn sealed(signed: &[Signed], judges: &Judges, last: u64) -> Cover {
    let (mut cover, mut problem) = (Cover::default(), String::new());
    for one in signed.iter().rev() {
        for (recorded_at, bytes) in &one.seals {
            let verified = Seal::read(bytes, one.note.as_bytes()).and_then(|seal| {
                let authorities = judges.authorities.as_deref();
                authorities.map_or(Ok(()), |given| seal.verify(given, *recorded_at))?;
                Ok(hex(&seal.digest()))
            });
            match verified {
                Ok(digest) if cover.sealed.is_none() => {
                    (cover.sealed, cover.seal_certificate) = (Some(one.size), Some(digest));
                }
                Err(what) if problem.is_empty() => problem = format!(" ({what})"),
                _ => {}
            }
        }
    }
    if judges.authorities.is_some() {
        if cover.sealed.is_none_or(|size| size < last) {
            let text = "UNSEALED: the last checkpoint bears no seal that the authorities vouch for";
            cover.lacking.push(format!("{text}{problem}."));
        }
        cover.sealed.get_or_insert(0);
    }
    cover
}

/// Check what witnesses said of one note.
pub fn of_note(note: &Note, policy: Option<&Policy>) -> Result<Cover> {
    let Some(policy) = policy else { return Ok(Cover::default()) };
    let cosigned = policy.cosigned(note)?;
    if policy.is_met(&cosigned) {
        return Ok(Cover { witnessed: Some(note.checkpoint.size), ..Cover::default() });
    }
    let text = "UNWITNESSED: the policy does not accept the checkpoint";
    let lacking = vec![format!("{text}: {} did not cosign it.", policy.missing(&cosigned))];
    Ok(Cover { witnessed: Some(0), lacking, ..Cover::default() })
}

fn unwitnessed(last: u64, missing: &str, witnessed: Option<u64>) -> String {
    let mut text = "UNWITNESSED: the policy does not accept the last checkpoint".to_string();
    if last > 0 {
        text.push_str(&format!(" (the first {last} messages): {missing} did not cosign it"));
    }
    match witnessed {
        Some(size) => text.push_str(&format!(". Only the first {size} messages are witnessed.")),
        None => text.push_str(". No other is witnessed."),
    }
    text
}

/// Bring checkpoints and what was said of them together, each rule about them checked.
fn collect(found: &Found, statements: &[Statement]) -> Result<Vec<Signed>> {
    let mut signed: Vec<Signed> = Vec::new();
    let mut last_of_size: BTreeMap<i64, usize> = BTreeMap::new();
    // What is wrong with the newest checkpoint is named first, as each reader asks about that.
    let mut faults: BTreeMap<std::cmp::Reverse<usize>, crate::fault::Fault> = BTreeMap::new();
    let mut orphan = None;
    for statement in statements {
        let facts = Facts { schema: &statement.schema, values: &statement.values };
        let size = facts.number("size");
        if statement.role == Role::Signs {
            last_of_size.insert(size, signed.len());
            signed.push(read_signed(found, statement, &facts));
            continue;
        }
        let Some(number) = last_of_size.get(&size).copied() else {
            let position = statement.position;
            orphan.get_or_insert_with(|| {
                let text = "speaks of a checkpoint that was never signed before it";
                at(position, format!("message {position} {text}"))
            });
            continue;
        };
        let result = match statement.role {
            Role::Cosigns => add_cosignature(&mut signed[number], statement, &facts),
            Role::Stamps => add_stamp(&mut signed[number], statement, &facts),
            _ => add_seal(&mut signed[number], statement, &facts),
        };
        if let Err(fault) = result {
            faults.entry(std::cmp::Reverse(number)).or_insert(fault);
        }
    }
    match faults.into_values().next().or(orphan) {
        Some(fault) => Err(fault),
        None => Ok(signed),
    }
}

fn read_signed(found: &Found, statement: &Statement, facts: &Facts) -> Signed {
    let hash = |name: &str| Hash::try_from(facts.bytes(name)).unwrap_or_default();
    let size = facts.number("size") as u64;
    let origin = found.chain.clone();
    let map_root = Some(hash("map_root"));
    let text = Checkpoint { origin, size, root: hash("root"), map_root }.text();
    let id = facts.text("key_id");
    let key = found.keys.iter().find(|key| hex(&key.id()) == id);
    let line = key.map_or(String::new(), |key| {
        let bytes = [&key.id()[..], facts.bytes("signature")].concat();
        format!("— {} {}\n", key.name, base64(&bytes))
    });
    let note = format!("{text}\n{line}");
    let recorded_at = statement.recorded_at;
    let (cosignatures, stamps, seals) = (Vec::new(), Vec::new(), Vec::new());
    Signed { recorded_at, text, note, size, cosignatures, stamps, seals }
}

fn add_cosignature(signed: &mut Signed, statement: &Statement, facts: &Facts) -> Result<()> {
    let (position, name) = (statement.position, facts.text("witness"));
    let is_false =
        || at(position, format!("message {position} bears a false cosignature of {name}"));
    let key = kind_of(facts.algorithm(), &OF_WITNESSES)
        .and_then(|kind| Key::new(name, kind, facts.bytes("public_key")))
        .ok_or_else(is_false)?;
    let moment = facts.number("cosigned_at");
    let seconds = (moment / SECOND) as u64;
    let signature = facts.bytes("signature");
    if !key.cosigned(&signed.text, seconds, signature) {
        return Err(is_false());
    }
    let bytes = [&key.id()[..], &seconds.to_be_bytes(), signature].concat();
    signed.cosignatures.push(format!("— {name} {}\n", base64(&bytes)));
    check_clocks(signed, statement, moment)
}

fn add_stamp(signed: &mut Signed, statement: &Statement, facts: &Facts) -> Result<()> {
    let position = statement.position;
    let stamp = Stamp::read(facts.bytes("stamp"), signed.note.as_bytes())
        .map_err(|what| at(position, format!("message {position} holds a false stamp: {what}")))?;
    if stamp.moment != facts.number("stamped_at") {
        let text = format!("message {position} names another moment than the stamp that it holds");
        return Err(at(position, text));
    }
    signed.stamps.push((facts.text("authority").to_string(), facts.bytes("stamp").to_vec()));
    check_clocks(signed, statement, stamp.moment)
}

fn add_seal(signed: &mut Signed, statement: &Statement, facts: &Facts) -> Result<()> {
    let position = statement.position;
    let bytes = facts.bytes("seal");
    let seal = Seal::read(bytes, signed.note.as_bytes())
        .map_err(|what| at(position, format!("message {position} holds a false seal: {what}")))?;
    if seal.moment != facts.number("sealed_at") || seal.digest() != facts.bytes("certificate") {
        let text = "names another moment or certificate than the seal that it holds";
        return Err(at(position, format!("message {position} {text}")));
    }
    signed.seals.push((statement.recorded_at, bytes.to_vec()));
    check_clocks(signed, statement, seal.moment)
}

fn check_clocks(signed: &Signed, statement: &Statement, moment: i64) -> Result<()> {
    if (signed.recorded_at - APART..=statement.recorded_at + APART).contains(&moment) {
        return Ok(());
    }
    let position = statement.position;
    let text = "names a moment before its checkpoint was recorded, or after it was itself";
    Err(at(position, format!("message {position} {text}")))
}
