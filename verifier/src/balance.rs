//! `gameledger-verify balance`: the balance of an account at the close of a period, in one small file.

use std::path::Path;

use crate::avro::Reader;
use crate::data_part::POSITION_MAX;
use crate::fault::{input, place, Result};
use crate::hash::{entry, leaf, sha256, Hash};
use crate::log::verify_note;
use crate::merkle::root_of;
use crate::message::{check_moment, BYTES_MAX, MARKER, NUMBERS};
use crate::note::{base64, unbase64, Key, Note};
use crate::policy::Policy;
use crate::report::{moment, Report};
use crate::tag_map::{climb, tag_leaf, TagValue};

const TITLE: &str = "gameledger balance 1";

/// Fingerprint of version 1 of `BalancesClosed`, whose facts are read here in their order.
const FINGERPRINT: [u8; 8] = [0xaa, 0xbe, 0xcd, 0x06, 0xe5, 0x45, 0xe7, 0xac];

/// The lines of the file, in their order.
const NAMES: [&str; 7] =
    ["account ", "amount ", "accounts ", "message ", "count ", "entries ", "tags "];

struct Closed<'a> {
    position: u64,
    recorded_at: i64,
    period: &'a str,
    size: i64,
    root: &'a [u8],
}

pub fn run(file: &str, keys: &[Key], policy: Option<&Policy>) -> Result<Report> {
    let text = crate::file::text(Path::new(file))
        .map_err(|error| input(format!("{file} can't be read: {error}")))?;
    let malformed = || place("data", "the file is not of the form of a balance");
    let (head, note_text) = text.split_once("\n\n").ok_or_else(malformed)?;
    let mut lines = head.split('\n');
    if lines.next() != Some(TITLE) {
        return Err(malformed());
    }
    let mut values = Vec::new();
    for name in NAMES {
        values.push(lines.next().and_then(|line| line.strip_prefix(name)).ok_or_else(malformed)?);
    }
    let [account, amount, accounts, message, count, entries, tags] = values[..] else {
        return Err(malformed());
    };
    let amount_minor: i64 = number(amount).ok_or_else(malformed)?;
    let count_number: i64 =
        number(count).filter(|count| (1..=POSITION_MAX).contains(count)).ok_or_else(malformed)?;
    let (accounts, entries, tags) = (
        hashes(accounts).ok_or_else(malformed)?,
        hashes(entries).ok_or_else(malformed)?,
        hashes(tags).ok_or_else(malformed)?,
    );
    let message = bytes(message).ok_or_else(malformed)?;
    if lines.next().is_some() || account.is_empty() || accounts.len() > 256 || tags.len() > 256 {
        return Err(malformed());
    }
    let (note, map_root) = Note::with_map(note_text).map_err(|what| place("checkpoint", what))?;
    let mut reservations = Vec::new();
    if keys.is_empty() {
        let text =
            "No key was given, so no signature of the log was checked: name keys with --key.";
        reservations.push(text.to_string());
    } else {
        verify_note(&note, keys).map_err(|fault| place("checkpoint", fault.text()))?;
    }
    let closed = read(&message)
        .ok_or_else(|| place("message", "the message is no BalancesClosed of version 1"))?;
    require_balance(&closed, account, amount_minor, &accounts)?;
    require_newest(&closed, &message, count_number as u64, &entries, &tags, &map_root)?;
    let mut witnessed = None;
    if let Some(policy) = policy {
        // The proof rests on the tag map, which only some kinds of keys cosign.
        let of_map = policy.of_extensions(&policy.cosigned(&note)?);
        let is_met = policy.is_met(&of_map);
        witnessed = Some(if is_met { note.checkpoint.size } else { 0 });
        if !is_met {
            let text = "UNWITNESSED: the policy does not accept the checkpoint with its tag map.";
            reservations.push(text.to_string());
        }
    }
    let mut report = Report {
        title: format!("{file} proves a balance of {}.", note.checkpoint.origin),
        rows: Vec::new(),
        json: vec![
            ("chain", note.checkpoint.origin.as_str().into()),
            ("account", account.into()),
            ("period", closed.period.into()),
            ("balance", amount_minor.into()),
            ("position", closed.position.into()),
            ("recorded_at", closed.recorded_at.into()),
            ("closings", count_number.into()),
            ("size", note.checkpoint.size.into()),
            ("witnessed", witnessed.into()),
        ],
        reservations,
    };
    report.row("account", account);
    report.row("period", closed.period);
    report.row("balance", format!("{amount_minor} haler"));
    report.row("after", format!("the first {} messages", closed.size));
    report.row("recorded", format!("{}, position {}", moment(closed.recorded_at), closed.position));
    report.row("closings", format!("this is the last of {count_number} of the period"));
    report.row("checkpoint", format!("the first {} messages", note.checkpoint.size));
    Ok(report)
}

/// A number in its one form.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number: &i64| number.to_string() == text)
}

fn bytes(text: &str) -> Option<Vec<u8>> {
    unbase64(text).filter(|bytes| base64(bytes) == text)
}

fn hashes(text: &str) -> Option<Vec<Hash>> {
    let bytes = bytes(text)?;
    let whole = bytes.len() % 32 == 0;
    whole.then(|| bytes.chunks(32).filter_map(|part| part.try_into().ok()).collect())
}

/// Read a message to its last byte, if it is of the one schema.
fn read(message: &[u8]) -> Option<Closed<'_>> {
    if message.get(..2)? != MARKER || message.get(2..10)? != FINGERPRINT {
        return None;
    }
    let mut reader = Reader::new(message);
    reader.at = NUMBERS;
    let position = reader.long().ok().filter(|position| (0..=POSITION_MAX).contains(position))?;
    reader.int().ok()?;
    reader.int().ok()?;
    let recorded_at = reader.long().ok()?;
    let occurred_at = reader.long().ok()?;
    check_moment(recorded_at).and(check_moment(occurred_at)).ok()?;
    reader.text().ok()?;
    reader.text().ok()?;
    let period = reader.text().ok()?;
    let size = reader.long().ok()?;
    reader.long().ok()?;
    reader.long().ok()?;
    let root = reader.part().ok()?;
    let is_whole = reader.at == message.len() && message.len() <= BYTES_MAX;
    let position = position as u64;
    is_whole.then_some(Closed { position, recorded_at, period, size, root })
}

/// The balance stands in the map of accounts whose root the message holds.
fn require_balance(closed: &Closed, account: &str, amount: i64, siblings: &[Hash]) -> Result<()> {
    let key = sha256(&[account.as_bytes()]);
    let own = sha256(&[&[4], &key, &amount.to_be_bytes()]);
    if climb(&key, own, siblings)[..] == *closed.root {
        return Ok(());
    }
    Err(place("balance", "the account had not this balance at the close of the period"))
}

/// The message is the last of its period that the signed tag map counts.
fn require_newest(
    closed: &Closed, message: &[u8], count: u64, entries: &[Hash], tags: &[Hash], map_root: &Hash,
) -> Result<()> {
    let own = entry(closed.position, &leaf(message));
    let root = root_of(count, &[(count - 1, own)], entries);
    let key = sha256(&[b"period:", closed.period.as_bytes()]);
    let found = root.map(|root| {
        climb(&key, tag_leaf(&key, &TagValue { count, last: closed.position, root }), tags)
    });
    if found == Some(*map_root) {
        return Ok(());
    }
    let text = "is not shown to be the last of its period that the checkpoint counts";
    Err(place("completeness", format!("message {} {text}", closed.position)))
}
