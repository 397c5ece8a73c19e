//! Exported messages: each behind its length (`log export --raw`), or as lines of JSON.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Mutex;

use crate::avro::{write_long, write_part, Plain, Type};
use crate::fault::{at, input, unavailable, Result};
use crate::file;
use crate::hash::{hex, leaf, unhex};
use crate::json::Json;
use crate::message::BYTES_MAX;
use crate::run::{Block, BlockReader, Source, BLOCK};
use crate::schema::{Book, Schema};

/// Most bytes of a line: a message in JSON is longer than in Avro, by escapes and names.
const LINE_MAX: u64 = 16 * BYTES_MAX as u64;

/// A file of messages in the order of the chain.
pub struct Export(Mutex<State>);

struct State {
    file: BufReader<File>,
    is_json: bool,
    next: u64,
    blocks: u64,
    is_at_end: bool,
    book: Book,
}

impl Export {
    pub fn open(path: &Path) -> Result<Export> {
        let unreadable =
            |error: std::io::Error| input(format!("{} can't be read: {error}", path.display()));
        let mut file = BufReader::with_capacity(1 << 18, file::open(path).map_err(unreadable)?);
        let is_json = file.fill_buf().map_err(unreadable)?.first() == Some(&b'{');
        let book = Book::new();
        let state = State { file, is_json, next: 0, blocks: 0, is_at_end: false, book };
        Ok(Export(Mutex::new(state)))
    }
}

impl Source for Export {
    fn reader(&self) -> Result<Box<dyn BlockReader + '_>> {
        Ok(Box::new(Messages(self)))
    }

    fn size(&self) -> Option<u64> {
        None
    }
}

struct Messages<'a>(&'a Export);

impl BlockReader for Messages<'_> {
    fn read(&mut self, block: &mut Block) -> Result<bool> {
        let mut state = self.0 .0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if state.is_at_end {
            return Ok(false);
        }
        block.begin(state.blocks, state.next);
        state.blocks += 1;
        while (block.ends.len() as u64) < BLOCK {
            let message = if state.is_json { state.line() } else { state.raw() };
            match message {
                Ok(Some(message)) => {
                    block.add(&message);
                    state.next += 1;
                }
                Ok(None) => {
                    state.is_at_end = true;
                    break;
                }
                Err(fault) => {
                    block.fault = Some(fault);
                    state.is_at_end = true;
                    break;
                }
            }
        }
        Ok(true)
    }
}

impl State {
    fn raw(&mut self) -> Result<Option<Vec<u8>>> {
        let position = self.next;
        let failed = |error| unavailable(format!("the file can't be read: {error}"));
        let mut length = [0; 4];
        let count = read_full(&mut self.file, &mut length).map_err(failed)?;
        if count == 0 {
            return Ok(None);
        }
        let length = u32::from_be_bytes(length) as usize;
        let mut message = vec![0; length.min(BYTES_MAX + 1)];
        if count < 4 || read_full(&mut self.file, &mut message).map_err(failed)? < length {
            if length > BYTES_MAX {
                let text = format!("message {position} has {length} bytes, {BYTES_MAX} at most");
                return Err(at(position, text));
            }
            return Err(at(position, format!("the file ends within message {position}")));
        }
        Ok(Some(message))
    }

    fn line(&mut self) -> Result<Option<Vec<u8>>> {
        let position = self.next;
        let mut line = Vec::new();
        self.file
            .by_ref()
            .take(LINE_MAX)
            .read_until(b'\n', &mut line)
            .map_err(|error| unavailable(format!("the file can't be read: {error}")))?;
        if line.is_empty() {
            return Ok(None);
        }
        let wrong = |what: String| at(position, format!("line {}: {what}", position + 1));
        if line.pop() != Some(b'\n') {
            return Err(wrong("it has no end: the file was cut off".into()));
        }
        let text = String::from_utf8(line).map_err(|_| wrong("it is not UTF-8".into()))?;
        let json = Json::parse(&text).map_err(wrong)?;
        let message = self.encode(&json).map_err(wrong)?;
        Ok(Some(message))
    }

    /// Make the message of a line: the only one that a published schema of its type gives.
    fn encode(&mut self, line: &Json) -> std::result::Result<Vec<u8>, String> {
        let text = |key: &str| {
            line.get(key).and_then(Json::text).ok_or_else(|| format!("it has no {key}"))
        };
        let (name, hash) = (text("type")?, text("hash")?);
        let (envelope, facts) = match (line.get("envelope"), line.get("facts")) {
            (Some(envelope), Some(facts)) => (envelope, facts),
            _ => return Err("it has no envelope or no facts".into()),
        };
        let place = envelope.get("position").and_then(Json::whole);
        if line.get("position").and_then(Json::whole) != place {
            return Err("its envelope has another position".into());
        }
        let versions = self.book.versions(name);
        if versions.is_empty() {
            return Err(format!("the schema of {name} was not published before it"));
        }
        let mut cause = String::new();
        for schema in versions.iter().rev() {
            match write(schema, envelope, facts) {
                Ok(message) if hex(&leaf(&message)) == hash => {
                    if name == "SchemaPublished" {
                        self.learn(facts);
                    }
                    return Ok(message);
                }
                Ok(_) => {
                    cause = "its facts do not give its hash: the line was altered".to_string();
                }
                Err(what) if cause.is_empty() => cause = what,
                Err(_) => {}
            }
        }
        Err(cause)
    }

    /// Take a schema in, so that lines can be written by it; the chain judges it.
    fn learn(&mut self, facts: &Json) {
        let text = |key: &str| facts.get(key).and_then(Json::text).unwrap_or("");
        let version = facts.get("version").and_then(Json::whole).unwrap_or(0);
        let _judged_later =
            self.book.publish(text("name"), version, text("fingerprint"), text("schema"));
    }
}

fn read_full(file: &mut impl Read, bytes: &mut [u8]) -> std::io::Result<usize> {
    let mut count = 0;
    while count < bytes.len() {
        match file.read(&mut bytes[count..]) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

fn write(schema: &Schema, envelope: &Json, facts: &Json) -> std::result::Result<Vec<u8>, String> {
    let mut out = vec![0xc3, 0x01];
    out.extend_from_slice(&schema.fingerprint);
    for (name, size) in [("previous_hash", 32), ("command_id", 16), ("command_digest", 16)] {
        let bytes = envelope.get(name).and_then(Json::text).and_then(unhex);
        let bytes = bytes.filter(|bytes| bytes.len() == size);
        out.extend(bytes.ok_or_else(|| format!("its {name} is not {size} bytes"))?);
    }
    for name in ["position", "decision_index", "decision_size", "recorded_at", "occurred_at"] {
        let number = envelope.get(name).and_then(Json::whole);
        write_long(number.ok_or_else(|| format!("its {name} is no whole number"))?, &mut out);
    }
    for name in ["actor", "source"] {
        let text = envelope.get(name).and_then(Json::text);
        write_part(text.ok_or_else(|| format!("its {name} is no text"))?.as_bytes(), &mut out);
    }
    let Json::Object(pairs) = facts else { return Err("its facts are no object".into()) };
    if pairs.len() != schema.facts.len() {
        return Err(format!("its facts are not those of {} v{}", schema.name, schema.version));
    }
    for fact in &schema.facts {
        facts
            .get(&fact.name)
            .and_then(|value| write_value(fact.kind, value, &mut out))
            .ok_or_else(|| format!("its {} is missing or of another type", fact.name))?;
    }
    Ok(out)
}

fn write_value(kind: Type, value: &Json, out: &mut Vec<u8>) -> Option<()> {
    match (kind, value) {
        (Type::Boolean, Json::Bool(value)) => out.push(u8::from(*value)),
        (Type::Int, number) => write_long(i32::try_from(number.whole()?).ok()?.into(), out),
        (Type::Long, number) => write_long(number.whole()?, out),
        (Type::Bytes, Json::Text(digits)) => write_part(&unhex(digits)?, out),
        (Type::Text, Json::Text(text)) => write_part(text.as_bytes(), out),
        (Type::Texts | Type::Longs, Json::List(items)) => {
            if !items.is_empty() {
                write_long(items.len() as i64, out);
                let item = if kind == Type::Texts { Type::Text } else { Type::Long };
                for value in items {
                    write_value(item, value, out)?;
                }
            }
            out.push(0);
        }
        (Type::Optional(_), Json::Null) => out.push(0),
        (Type::Optional(plain), value) => {
            out.push(2);
            let plain: Plain = plain;
            write_value(plain.into(), value, out)?;
        }
        _ => return None,
    }
    Some(())
}
