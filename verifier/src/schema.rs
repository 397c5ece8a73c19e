//! Schemas of events: what a chain publishes of them, checked by the rules of docs/format.md.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use crate::avro::{Plain, Type, Value};
use crate::hash::{hex, sha256, unhex, Hash};
use crate::json::Json;
use crate::tag_map::FirstBytes;

/// One fact of an event.
#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub kind: Type,
    /// The kind of the tags that the field makes, if it makes any.
    pub tag: Option<String>,
    /// Whether its tags are of a kind that the tag map holds.
    pub is_mapped: bool,
    pub is_moment: bool,
    pub is_personal: bool,
    has_default: bool,
}

/// The schema of one version of an event type.
#[derive(Debug)]
pub struct Schema {
    pub name: String,
    pub version: i32,
    pub fingerprint: [u8; 8],
    pub digest: Hash,
    pub facts: Vec<Field>,
    /// Whether this program knows the text, not only reads it.
    pub is_known: bool,
}

/// Kinds of tags that the tag map holds.
const MAPPED: [&str; 6] = ["account", "period", "person", "round", "table", "tournament"];

const TEXT_OF_FORMAT: [&str; 5] =
    ["ChainOpened", "SchemaPublished", "SigningKeyAdded", "SigningKeyRevoked", "CheckpointSigned"];

/// The schemas that docs/format.md gives, as they are published.
const OF_FORMAT: [&str; 2] =
    [include_str!("schemas/ChainOpened.json"), include_str!("schemas/SchemaPublished.json")];

/// SHA-256 of the text of every schema that this version of gameledger knows.
const KNOWN: &str = include_str!("../../schemas/pins.txt");

const ENVELOPE: [(&str, &str); 10] = [
    ("previous_hash", r#"{"name":"gameledger.Hash","type":"fixed","size":32}"#),
    ("command_id", r#"{"name":"gameledger.CommandId","type":"fixed","size":16}"#),
    ("command_digest", r#"{"name":"gameledger.CommandDigest","type":"fixed","size":16}"#),
    ("position", "\"long\""),
    ("decision_index", "\"int\""),
    ("decision_size", "\"int\""),
    ("recorded_at", "\"long\""),
    ("occurred_at", "\"long\""),
    ("actor", "\"string\""),
    ("source", "\"string\""),
];

const NAME_MAX: usize = 100;

type Checked<T> = Result<T, String>;

impl Schema {
    /// Read the text of a schema and check that it has only what the format allows.
    pub fn parse(text: &str) -> Checked<Schema> {
        let json = Json::parse(text)?;
        let attribute = |key: &str| json.get(key).and_then(Json::text);
        if attribute("type") != Some("record") {
            return Err("it is not of a record".into());
        }
        if attribute("namespace") != Some("gameledger") {
            return Err("its namespace is not gameledger".into());
        }
        let name = attribute("name").filter(|name| is_event_name(name)).ok_or("no such name")?;
        let version = json
            .get("version")
            .and_then(Json::whole)
            .and_then(|version| i32::try_from(version).ok())
            .filter(|version| *version >= 1)
            .ok_or("its version is not a whole number from 1 on")?;
        let fields = json.get("fields").and_then(Json::list).ok_or("it has no fields")?;
        if fields.len() < ENVELOPE.len() {
            return Err("it does not begin with the envelope".into());
        }
        let mut canonical = String::new();
        for (field, (name, kind)) in fields.iter().zip(ENVELOPE) {
            check_envelope(field, name)?;
            canonical.push_str(&format!("{{\"name\":\"{name}\",\"type\":{kind}}},"));
        }
        let mut facts: Vec<Field> = Vec::new();
        for field in &fields[ENVELOPE.len()..] {
            let (fact, kind) = read_fact(field)?;
            let taken = |other: &str| other == fact.name;
            if facts.iter().any(|other| taken(&other.name))
                || ENVELOPE.iter().any(|(other, _)| taken(other))
            {
                return Err(format!("two fields have the name {}", fact.name));
            }
            canonical.push_str(&format!("{{\"name\":\"{}\",\"type\":{kind}}},", fact.name));
            facts.push(fact);
        }
        canonical.pop();
        let canonical = format!(
            "{{\"name\":\"gameledger.{name}\",\"type\":\"record\",\"fields\":[{canonical}]}}"
        );
        let digest = sha256(&[text.as_bytes()]);
        Ok(Schema {
            name: name.to_string(),
            version,
            fingerprint: crc_64_avro(canonical.as_bytes()).to_le_bytes(),
            digest,
            facts,
            is_known: known_digest(name, version) == Some(digest),
        })
    }

    pub fn field(&self, name: &str) -> Option<usize> {
        self.facts.iter().position(|fact| fact.name == name)
    }
}

fn is_event_name(name: &str) -> bool {
    name.len() <= NAME_MAX
        && name.starts_with(|sign: char| sign.is_ascii_uppercase())
        && name.bytes().all(|sign| sign.is_ascii_alphanumeric())
}

fn is_field_name(name: &str) -> bool {
    name.len() <= NAME_MAX
        && name.starts_with(|sign: char| sign.is_ascii_lowercase())
        && name
            .bytes()
            .all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == b'_')
}

fn check_envelope(field: &Json, name: &str) -> Checked<()> {
    let wrong = || Err(format!("its field {name} of the envelope is not that of the format"));
    if field.get("name").and_then(Json::text) != Some(name) {
        return wrong();
    }
    let fits = match (name, field.get("type")) {
        ("previous_hash", Some(kind)) => is_fixed(kind, "Hash", 32),
        ("command_id", Some(kind)) => is_fixed(kind, "CommandId", 16),
        ("command_digest", Some(kind)) => is_fixed(kind, "CommandDigest", 16),
        ("position" | "recorded_at" | "occurred_at", Some(Json::Text(kind))) => kind == "long",
        ("decision_index" | "decision_size", Some(Json::Text(kind))) => kind == "int",
        ("actor" | "source", Some(Json::Text(kind))) => kind == "string",
        _ => false,
    };
    let unit = matches!(name, "recorded_at" | "occurred_at").then(|| Json::from("microseconds"));
    if !fits || field.get("unit") != unit.as_ref() {
        return wrong();
    }
    Ok(())
}

fn is_fixed(kind: &Json, name: &str, size: i64) -> bool {
    matches!(kind, Json::Object(pairs) if pairs.len() == 3)
        && kind.get("type").and_then(Json::text) == Some("fixed")
        && kind.get("name").and_then(Json::text) == Some(name)
        && kind.get("size").and_then(Json::whole) == Some(size)
}

/// Read a field behind the envelope; gives its type in parsing canonical form too.
fn read_fact(field: &Json) -> Checked<(Field, String)> {
    let name = field
        .get("name")
        .and_then(Json::text)
        .filter(|name| is_field_name(name))
        .ok_or("a field has no such name")?;
    let wrong = |what: &str| format!("its field {name} {what}");
    let (kind, canonical) = field
        .get("type")
        .and_then(read_type)
        .ok_or_else(|| wrong("has a type that the format does not use"))?;
    let default = field.get("default");
    if default.is_some_and(|default| !fits(kind, default)) {
        return Err(wrong("has a default that does not fit its type"));
    }
    let is_moment = field.get("unit").and_then(Json::text) == Some("microseconds");
    if is_moment && !matches!(kind, Type::Long | Type::Optional(Plain::Long)) {
        return Err(wrong("has microseconds and is no long"));
    }
    let has_tags = matches!(kind, Type::Text | Type::Texts);
    let tag = field.get("tag").and_then(Json::text).filter(|_| has_tags).map(str::to_string);
    let fact = Field {
        name: name.to_string(),
        kind,
        is_mapped: tag.as_deref().is_some_and(|tag| MAPPED.contains(&tag)),
        tag,
        is_moment,
        is_personal: field.get("personal").is_some(),
        has_default: default.is_some(),
    };
    Ok((fact, canonical))
}

fn read_type(kind: &Json) -> Option<(Type, String)> {
    match kind {
        Json::Text(name) => plain(name).map(|kind| (kind.into(), format!("\"{name}\""))),
        Json::List(branches) => {
            let [Json::Text(null), Json::Text(name)] = branches.as_slice() else { return None };
            let kind = plain(name).filter(|_| null == "null")?;
            Some((Type::Optional(kind), format!("[\"null\",\"{name}\"]")))
        }
        Json::Object(pairs) => {
            let kind = match (kind.get("type")?.text()?, kind.get("items")?.text()?) {
                ("array", "string") => Type::Texts,
                ("array", "long") => Type::Longs,
                _ => return None,
            };
            let items = if kind == Type::Texts { "string" } else { "long" };
            (pairs.len() == 2)
                .then(|| (kind, format!("{{\"type\":\"array\",\"items\":\"{items}\"}}")))
        }
        _ => None,
    }
}

fn plain(name: &str) -> Option<Plain> {
    Some(match name {
        "boolean" => Plain::Boolean,
        "int" => Plain::Int,
        "long" => Plain::Long,
        "bytes" => Plain::Bytes,
        "string" => Plain::Text,
        _ => return None,
    })
}

fn fits(kind: Type, default: &Json) -> bool {
    match (kind, default) {
        (Type::Boolean, Json::Bool(_)) | (Type::Text, Json::Text(_)) => true,
        (Type::Optional(_), Json::Null) => true,
        (Type::Int, number) => number.whole().is_some_and(|n| i32::try_from(n).is_ok()),
        (Type::Long, number) => number.whole().is_some(),
        (Type::Bytes, Json::Text(text)) => text.chars().all(|sign| (sign as u32) < 256),
        (Type::Texts, Json::List(items)) => items.iter().all(|item| item.text().is_some()),
        (Type::Longs, Json::List(items)) => items.iter().all(|item| item.whole().is_some()),
        _ => false,
    }
}

/// CRC-64-AVRO, as the Avro specification defines it.
fn crc_64_avro(bytes: &[u8]) -> u64 {
    const EMPTY: u64 = 0xc15d_213a_a4d7_a795;
    bytes.iter().fold(EMPTY, |sum, byte| {
        let mut entry = (sum ^ u64::from(*byte)) & 0xff;
        for _ in 0..8 {
            entry = (entry >> 1) ^ (EMPTY & (entry & 1).wrapping_neg());
        }
        (sum >> 8) ^ entry
    })
}

/// Names of the event types that this version knows, sorted.
pub fn known_names() -> Vec<&'static str> {
    let versions = KNOWN.lines().filter_map(|line| line.split_whitespace().nth(2));
    let mut names: Vec<_> =
        versions.filter_map(|name| name.split_once(".v")).map(|(n, _)| n).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn known_digest(name: &str, version: i32) -> Option<Hash> {
    let wanted = format!("{name}.v{version}");
    KNOWN.lines().find_map(|line| {
        let mut columns = line.split_whitespace();
        let (digest, known) = (columns.next()?, columns.nth(1)?);
        (known == wanted).then(|| unhex(digest)?.try_into().ok())?
    })
}

/// The schemas that a chain has published so far, by fingerprint.
#[derive(Clone)]
pub struct Book {
    by_fingerprint: HashMap<[u8; 8], Arc<Schema>, BuildHasherDefault<FirstBytes>>,
    versions: HashMap<String, Vec<Arc<Schema>>>,
}

impl Book {
    /// A book with the two schemas that need not be published.
    pub fn new() -> Book {
        let mut book = Book { by_fingerprint: HashMap::default(), versions: HashMap::new() };
        for text in OF_FORMAT {
            // The texts are constants of this program, and a test reads them.
            let schema = Schema::parse(text).expect("a schema of the format");
            book.insert(Arc::new(schema));
        }
        book
    }

    pub fn get(&self, fingerprint: &[u8]) -> Option<&Arc<Schema>> {
        self.by_fingerprint.get(fingerprint)
    }

    /// All versions of an event type that were published.
    pub fn versions(&self, name: &str) -> &[Arc<Schema>] {
        self.versions.get(name).map_or(&[], Vec::as_slice)
    }

    fn insert(&mut self, schema: Arc<Schema>) {
        self.by_fingerprint.insert(schema.fingerprint, schema.clone());
        self.versions.entry(schema.name.clone()).or_default().push(schema);
    }

    /// Take in what a `SchemaPublished` holds; checks every rule about it.
    pub fn publish(
        &mut self, name: &str, version: i64, fingerprint: &str, text: &str,
    ) -> Checked<()> {
        let schema = Schema::parse(text)?;
        if schema.name != name || i64::from(schema.version) != version {
            return Err(format!("it is of {} version {}", schema.name, schema.version));
        }
        if hex(&schema.fingerprint) != fingerprint {
            return Err(format!("its fingerprint is {}", hex(&schema.fingerprint)));
        }
        if TEXT_OF_FORMAT.contains(&name) && !schema.is_known {
            return Err("its text is not that of the format".into());
        }
        if !schema.is_known && known_digest(name, schema.version).is_some() {
            return Err("its text is not the one that this version of gameledger knows".into());
        }
        if let Some(other) = self.get(&schema.fingerprint) {
            if other.digest == schema.digest {
                return Ok(());
            }
            return Err("another text was published under its fingerprint".into());
        }
        for other in self.versions(name) {
            if other.version == schema.version {
                return Err("another text was published under its name and version".into());
            }
            check_evolution(other, &schema)?;
        }
        self.insert(Arc::new(schema));
        Ok(())
    }
}

/// Versions differ by fields with a default and by nothing else.
fn check_evolution(one: &Schema, other: &Schema) -> Checked<()> {
    for (these, those) in [(one, other), (other, one)] {
        for fact in &these.facts {
            match those.field(&fact.name) {
                Some(place) if those.facts[place].kind != fact.kind => {
                    return Err(format!(
                        "its field {} is of another type than in version {}",
                        fact.name, one.version
                    ));
                }
                None if !fact.has_default => {
                    return Err(format!(
                        "field {} has no default and not both versions have it",
                        fact.name
                    ));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The value of a named fact.
pub struct Facts<'a> {
    pub schema: &'a Schema,
    pub values: &'a [Value],
}

impl Facts<'_> {
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.schema.field(name).map(|place| &self.values[place])
    }

    pub fn text(&self, name: &str) -> &str {
        match self.value(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// The algorithm of a key; the first version of its event names none.
    pub fn algorithm(&self) -> &str {
        match self.value("algorithm") {
            Some(_) => self.text("algorithm"),
            None => "Ed25519",
        }
    }

    pub fn is_true(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Boolean(true)))
    }

    pub fn bytes(&self, name: &str) -> &[u8] {
        match self.value(name) {
            Some(Value::Bytes(bytes)) => bytes,
            _ => &[],
        }
    }

    pub fn number(&self, name: &str) -> i64 {
        match self.value(name) {
            Some(Value::Number(number)) => *number,
            _ => -1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_of_the_format_have_their_fingerprints() {
        let book = Book::new();
        for (name, fingerprint) in
            [("ChainOpened", "ae547ab3475b5276"), ("SchemaPublished", "e490a56b6bd2b71c")]
        {
            let [schema] = book.versions(name) else { panic!("{name}") };
            assert_eq!(hex(&schema.fingerprint), fingerprint);
            assert!(schema.is_known);
        }
    }
}
