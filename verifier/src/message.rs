//! One message: its envelope, its facts, and the tags that the tag map holds of it.

use std::cell::RefCell;
use std::sync::Arc;

use crate::avro::{Reader, Type, Value};
use crate::hash::{leaf, sha256, Hash, ZERO};
use crate::index_keys::{IndexKeys, Sums};
use crate::schema::{Book, Schema};

pub const BYTES_MAX: usize = 65_535;

/// Microseconds of 2200-01-01, before which every moment lies.
pub const MOMENT_END: i64 = 7_258_118_400_000_000;

pub const MARKER: [u8; 2] = [0xc3, 0x01];
const BODY: usize = 10;
/// Where the identifier of the command stands.
const COMMAND: std::ops::Range<usize> = 42..58;
/// Where the numbers of the envelope begin.
pub const NUMBERS: usize = 74;

/// How the chain has to treat a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// Its schema was not known yet where it was read.
    Undecided,
    Opens,
    Publishes,
    AddsKey,
    RevokesKey,
    Signs,
    Cosigns,
    Stamps,
    Seals,
    Registers,
    SealsCommands,
}

/// What is wrong with a message, by the order in which a chain asks.
#[derive(Debug, Clone)]
pub enum Wrong {
    /// It does not say its own position; no link is looked at.
    Place(String),
    /// Anything else.
    Other(String),
}

/// What a chain needs to know of a message.
#[derive(Debug, Clone)]
pub struct Record {
    pub hash: Hash,
    pub previous: Hash,
    /// Leaf of the message in the trees of its tags.
    pub entry: Hash,
    pub command: [u8; 16],
    pub digest: [u8; 16],
    pub index: i64,
    pub size: i64,
    pub recorded_at: i64,
    pub role: Role,
    /// Number of the schema in the list of its block.
    pub schema: u32,
    /// How many tags of the block are those of this message.
    pub tags: u32,
}

/// Neighbouring messages, each judged by itself.
#[derive(Default)]
pub struct Judged {
    pub first: u64,
    pub records: Vec<Record>,
    pub tags: Vec<Hash>,
    pub wrong: Vec<(usize, Wrong)>,
    /// Messages that the chain reads again: what it says of itself, or of an unknown schema.
    pub bodies: Vec<(usize, Vec<u8>)>,
    pub schemas: Vec<Arc<Schema>>,
    pub ends: Option<crate::fault::Fault>,
    pub index: Sums,
}

/// Judges messages by the schemas that were published so far.
pub struct Judge<'a> {
    pub book: &'a Book,
    pub reads_facts: bool,
    pub index: Option<&'a IndexKeys>,
}

impl Judge<'_> {
    /// Judge the next message of a block.
    pub fn add(&self, judged: &mut Judged, body: &[u8]) {
        let number = judged.records.len();
        let position = judged.first + number as u64;
        let mut record = Record {
            hash: leaf(body),
            previous: body
                .get(BODY..BODY + 32)
                .map_or([0xff; 32], |part| part.try_into().unwrap_or(ZERO)),
            entry: ZERO,
            command: [0; 16],
            digest: [0; 16],
            index: 0,
            size: 0,
            recorded_at: 0,
            role: Role::Undecided,
            schema: u32::MAX,
            tags: 0,
        };
        let tags = judged.tags.len();
        if let Err(wrong) = self.judge(judged, &mut record, position, body) {
            judged.wrong.push((number, wrong));
            judged.tags.truncate(tags);
        }
        record.tags = (judged.tags.len() - tags) as u32;
        if record.tags > 0 {
            record.entry = crate::hash::entry(position, &record.hash);
        }
        if record.role != Role::Plain {
            judged.bodies.push((number, body.to_vec()));
        }
        judged.records.push(record);
    }

    fn judge(
        &self, judged: &mut Judged, record: &mut Record, position: u64, body: &[u8],
    ) -> Result<(), Wrong> {
        let mut reader = Reader::new(body);
        reader.at = NUMBERS;
        let unreadable = || format!("message {position} was altered: its envelope can't be read");
        match reader.long() {
            Ok(place) if place == position as i64 => {}
            Ok(place) => {
                let text = format!("message {position} says that it is message {place}");
                return Err(Wrong::Place(text));
            }
            Err(_) => return Err(Wrong::Place(unreadable())),
        }
        if body.len() > BYTES_MAX {
            return Err(Wrong::Other(format!(
                "message {position} has {} bytes, {BYTES_MAX} at most",
                body.len()
            )));
        }
        record.command = body[42..58].try_into().unwrap_or_default();
        record.digest = body[58..74].try_into().unwrap_or_default();
        for number in [&mut record.index, &mut record.size, &mut record.recorded_at] {
            *number = reader.long().map_err(|_| Wrong::Other(unreadable()))?;
        }
        let Some(schema) = schema_of(self.book, body) else {
            record.role = Role::Undecided;
            return Ok(());
        };
        record.role = role_of(schema);
        let same = |other: &Arc<Schema>| Arc::ptr_eq(other, schema);
        record.schema = judged.schemas.iter().position(same).unwrap_or_else(|| {
            judged.schemas.push(schema.clone());
            judged.schemas.len() - 1
        }) as u32;
        if self.reads_facts || record.role != Role::Plain {
            check(schema, body, &mut judged.tags)
                .map_err(|what| Wrong::Other(format!("message {position} was altered: {what}")))?;
        }
        if let Some(keys) = self.index {
            keys.add(&mut judged.index, position, record, schema, body)
                .map_err(|what| Wrong::Other(format!("message {position} was altered: {what}")))?;
        }
        Ok(())
    }
}

/// The schema that a message names, if it was published.
pub fn schema_of<'a>(book: &'a Book, body: &[u8]) -> Option<&'a Arc<Schema>> {
    if body.get(..2) != Some(&MARKER) {
        return None;
    }
    body.get(2..BODY).and_then(|fingerprint| book.get(fingerprint))
}

pub fn role_of(schema: &Schema) -> Role {
    match schema.name.as_str() {
        "ChainOpened" => Role::Opens,
        "SchemaPublished" => Role::Publishes,
        "SigningKeyAdded" => Role::AddsKey,
        "SigningKeyRevoked" => Role::RevokesKey,
        "CheckpointSigned" => Role::Signs,
        "CheckpointCosigned" => Role::Cosigns,
        "CheckpointStamped" => Role::Stamps,
        "CheckpointSealed" => Role::Seals,
        "SourceRegistered" if schema.is_known => Role::Registers,
        "SourceSealed" if schema.is_known => Role::SealsCommands,
        _ => Role::Plain,
    }
}

/// Read a message to its last byte; keys of its tags go behind those that are there.
pub fn check(schema: &Schema, body: &[u8], tags: &mut Vec<Hash>) -> Result<(), String> {
    let begin = tags.len();
    let mut reader = Reader::new(body);
    reader.at = NUMBERS;
    check_envelope(&mut reader).map_err(|what| format!("its envelope can't be read: {what}"))?;
    for field in &schema.facts {
        check_fact(field, &mut reader, tags)
            .map_err(|what| format!("{what} in its field {}", field.name))?;
    }
    if reader.at != body.len() {
        return Err("something stands behind its facts".into());
    }
    remove_repeats(tags, begin);
    Ok(())
}

fn check_envelope(reader: &mut Reader) -> Result<(), &'static str> {
    reader.long()?;
    reader.int()?;
    reader.int()?;
    check_moment(reader.long()?)?;
    check_moment(reader.long()?)?;
    reader.text()?;
    reader.text()?;
    Ok(())
}

pub fn check_moment(moment: i64) -> Result<(), &'static str> {
    if (0..MOMENT_END).contains(&moment) {
        return Ok(());
    }
    Err("a moment lies outside of the years 1970 to 2199")
}

#[inline]
fn check_fact(
    field: &crate::schema::Field, reader: &mut Reader, tags: &mut Vec<Hash>,
) -> Result<(), &'static str> {
    match field.kind {
        Type::Text => {
            let text = reader.text()?;
            if field.is_mapped {
                add_tag(field, text, tags);
            }
        }
        Type::Long => {
            let number = reader.long()?;
            if field.is_moment {
                check_moment(number)?;
            }
        }
        Type::Int => {
            reader.int()?;
        }
        Type::Boolean => {
            reader.boolean()?;
        }
        Type::Bytes => {
            reader.part()?;
        }
        Type::Texts => {
            let count = reader.count()?;
            for _ in 0..count {
                let text = reader.text()?;
                if field.is_mapped {
                    add_tag(field, text, tags);
                }
            }
            if count > 0 {
                reader.end_of_array()?;
            }
        }
        Type::Longs => {
            let count = reader.count()?;
            for _ in 0..count {
                reader.long()?;
            }
            if count > 0 {
                reader.end_of_array()?;
            }
        }
        Type::Optional(_) => {
            if let (Value::Number(number), true) = (reader.value(field.kind)?, field.is_moment) {
                check_moment(number)?;
            }
        }
    }
    Ok(())
}

fn add_tag(field: &crate::schema::Field, text: &str, tags: &mut Vec<Hash>) {
    if let (false, Some(kind)) = (text.is_empty(), &field.tag) {
        tags.push(key_of(kind, text));
    }
}

thread_local! {
    static KEYS: RefCell<KeyCache> = RefCell::new(KeyCache::new());
}

/// Key of a tag: SHA-256 of its kind, a colon and its text.
fn key_of(kind: &str, text: &str) -> Hash {
    KEYS.with_borrow_mut(|cache| cache.get(kind, text))
}

/// Keys of tags that were seen last, because accounts and rounds return soon.
struct KeyCache(Vec<Slot>);

#[derive(Clone, Copy)]
struct Slot {
    key: Hash,
    length: u8,
    kind: [u8; 3],
    text: [u8; TEXT_MAX],
}

const SLOTS: usize = 2048;
const TEXT_MAX: usize = 44;

impl KeyCache {
    fn new() -> KeyCache {
        KeyCache(vec![Slot { key: ZERO, length: 0, kind: [0; 3], text: [0; TEXT_MAX] }; SLOTS])
    }

    fn get(&mut self, kind: &str, text: &str) -> Hash {
        let (kind_bytes, text_bytes) = (kind.as_bytes(), text.as_bytes());
        let made = || sha256(&[kind_bytes, b":", text_bytes]);
        // The first two letters and the length tell the five kinds of the map apart.
        let mark = [kind_bytes[0], kind_bytes[1], kind_bytes.len() as u8];
        if text_bytes.len() > TEXT_MAX {
            return made();
        }
        let mut sum = u64::from(mark[0]) << 8 | u64::from(mark[2]);
        for part in text_bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            sum =
                (sum.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        let slot = &mut self.0[(sum >> 53) as usize % SLOTS];
        let is_same = slot.kind == mark
            && usize::from(slot.length) == text_bytes.len()
            && slot.text[..text_bytes.len()] == *text_bytes;
        if !is_same {
            slot.key = made();
            (slot.kind, slot.length) = (mark, text_bytes.len() as u8);
            slot.text[..text_bytes.len()].copy_from_slice(text_bytes);
        }
        slot.key
    }
}

/// A message that bears a tag twice counts once.
fn remove_repeats(tags: &mut Vec<Hash>, begin: usize) {
    if tags.len() - begin < 2 {
        return;
    }
    tags[begin..].sort_unstable();
    let mut kept = begin + 1;
    for place in begin + 1..tags.len() {
        if tags[place] != tags[kept - 1] {
            tags[kept] = tags[place];
            kept += 1;
        }
    }
    tags.truncate(kept);
}

/// Decode a message that was checked: when it was recorded, and its facts.
pub fn decode(schema: &Schema, body: &[u8]) -> Result<(i64, Vec<Value>), &'static str> {
    let mut reader = Reader::new(body);
    reader.at = NUMBERS;
    for _ in 0..3 {
        reader.long()?;
    }
    let recorded_at = reader.long()?;
    reader.long()?;
    reader.text()?;
    reader.text()?;
    let values: Result<_, _> = schema.facts.iter().map(|fact| reader.value(fact.kind)).collect();
    Ok((recorded_at, values?))
}

/// The identifier of the command of a message, and its source.
pub fn command_of(body: &[u8]) -> Result<([u8; 16], String), &'static str> {
    let command = body.get(COMMAND).and_then(|id| id.try_into().ok()).ok_or("it is cut")?;
    let mut reader = Reader::new(body);
    reader.at = NUMBERS;
    for _ in 0..5 {
        reader.long()?;
    }
    reader.text()?;
    Ok((command, reader.text()?.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_keys_are_those_of_their_tags() {
        let long = "x".repeat(60);
        for _ in 0..2 {
            for number in 0..5000 {
                for kind in ["account", "person", "round", "table", "tournament"] {
                    let text = if number % 50 == 0 { long.clone() } else { format!("{number}") };
                    let tag = format!("{kind}:{text}");
                    assert_eq!(key_of(kind, &text), sha256(&[tag.as_bytes()]));
                }
            }
        }
    }
}
