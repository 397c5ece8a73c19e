//! The data part of an evidence file: JSON in the one form of docs/evidence.md.

use crate::fault::{place, Fault, Result};
use crate::hash::{sha256, Hash};
use crate::json::Json;
use crate::message::MOMENT_END;
use crate::note::{base64, unbase64};

const BYTES_MAX: usize = 64 * 1024 * 1024;
pub const POSITION_MAX: i64 = (1 << 53) - 1;
const DIGEST: &[u8] = b",\"digest\":\"";

pub struct Message {
    pub position: u64,
    pub mark: [u8; 4],
    pub body: Vec<u8>,
}

/// What the tag map says of a tag.
pub struct MapValue {
    pub count: u64,
    pub last: u64,
    pub root: Hash,
}

pub struct Completeness {
    pub value: Option<MapValue>,
    pub other: Option<(Hash, MapValue)>,
    pub siblings: Vec<Hash>,
    pub begin: u64,
    pub entries: Vec<Hash>,
    /// Position of the checkpoint that holds the root of the map; without one it is the note.
    pub checkpoint: Option<u64>,
}

/// All that a file proves, and by what.
pub struct DataPart {
    pub made_by: String,
    pub tag: String,
    pub account: String,
    pub first: Option<i64>,
    pub end: Option<i64>,
    pub note: String,
    pub witnesses: Vec<String>,
    pub stamps: Vec<(String, Vec<u8>)>,
    pub messages: Vec<Message>,
    pub withheld: Vec<(u64, Hash)>,
    pub tree: Vec<Hash>,
    pub completeness: Completeness,
    /// Positions and sealed fields, with the key of each; none where the issuer states an erasure.
    pub opened: Vec<(u64, String, Option<[u8; 32]>)>,
    /// Positions of seals of sources, with the identifiers of their commands, if all are at hand.
    pub origin: Vec<(u64, Vec<u8>)>,
}

fn wrong(why: &str) -> Fault {
    place(
        "data",
        format!("this is no data part of format 1 or 2 ({why}): the file was cut or altered"),
    )
}

/// Read a data part; whether its digest is right is left to a reader that has looked for more.
pub fn read(data: &[u8]) -> Result<(DataPart, bool)> {
    if data.len() > BYTES_MAX {
        return Err(place("data", format!("the data part has more than {BYTES_MAX} bytes")));
    }
    let at = data
        .windows(DIGEST.len())
        .rposition(|part| part == DIGEST)
        .ok_or_else(|| wrong("it has no digest"))?;
    let (content, rest) = data.split_at(at);
    let text = std::str::from_utf8(content).map_err(|_| wrong("it is not ASCII"))?;
    let json = Json::parse(&format!("{text}}}")).map_err(|what| wrong(&what))?;
    let part =
        read_part(&json).ok_or_else(|| wrong("it has not the keys and values of the format"))?;
    let mut again = String::new();
    json.write(&mut again);
    let digest = rest[DIGEST.len()..].strip_suffix(b"\"}").and_then(|digits| {
        std::str::from_utf8(digits).ok().and_then(unbase64).filter(|digest| digest.len() == 32)
    });
    let Some(digest) = digest else { return Err(wrong("its digest is none")) };
    if again.len() != text.len() + 1 || !again.starts_with(text) {
        return Err(wrong("it is not written in the one form that it has"));
    }
    check(&part)?;
    Ok((part, digest == sha256(&[content])))
}

/// Check what the form alone does not show.
fn check(part: &DataPart) -> Result<()> {
    let (kind, name) = part.tag.split_once(':').unwrap_or((&part.tag, ""));
    if !matches!(kind, "round" | "account") || name.is_empty() {
        return Err(place("data", "it is about neither a round nor an account"));
    }
    if kind == "round" && (part.first.is_some() || part.end.is_some()) {
        return Err(place("data", "a round is shown as a whole, and it names a period"));
    }
    if !part.withheld.is_empty() && part.account.is_empty() {
        return Err(place("data", "messages are withheld, and no participant is named"));
    }
    let is_whole = part.origin.iter().all(|(_, commands)| commands.len() % 16 == 0);
    if !is_whole || !part.origin.is_sorted_by(|(one, _), (other, _)| one < other) {
        return Err(place("data", "seals are not in order, or identifiers are not whole"));
    }
    let mut witnesses = part.witnesses.clone();
    witnesses.sort_unstable();
    if witnesses.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(place("data", "a witness is named twice"));
    }
    let shown: Vec<u64> = part.messages.iter().map(|message| message.position).collect();
    let withheld: Vec<u64> = part.withheld.iter().map(|(position, _)| *position).collect();
    let mut all = [shown.clone(), withheld.clone()].concat();
    all.sort_unstable();
    if ![shown, withheld, all].iter().all(|places| places.is_sorted_by(|one, other| one < other)) {
        return Err(place("data", "positions are not in order, or one stands twice"));
    }
    Ok(())
}

fn read_part(json: &Json) -> Option<DataPart> {
    let keys = [
        "evidence",
        "made_by",
        "subject",
        "note",
        "witnesses",
        "stamps",
        "messages",
        "withheld",
        "tree",
        "completeness",
        "opened",
    ];
    let (required, origin) = split_origin(json)?;
    let [evidence, made_by, subject, note, witnesses, stamps, messages, withheld, tree, completeness, opened] =
        values_of(required, keys)?;
    let completeness = match evidence.whole() {
        Some(1) => read_completeness(completeness)?,
        Some(2) => read_completeness_of_record(completeness)?,
        _ => return None,
    };
    let [tag, account, first, end] = values(subject, ["tag", "account", "first", "end"])?;
    Some(DataPart {
        made_by: text(made_by)?,
        tag: text(tag)?,
        account: text(account)?,
        first: moment(first)?,
        end: moment(end)?,
        note: text(note)?,
        witnesses: list(witnesses, text)?,
        stamps: list(stamps, |stamp| {
            let [authority, answer] = items(stamp)?;
            Some((text(authority)?, bytes(answer)?))
        })?,
        messages: list(messages, |message| {
            let [at, mark, body] = items(message)?;
            let mark = bytes(mark)?.try_into().ok()?;
            Some(Message { position: position(at)?, mark, body: bytes(body)? })
        })?,
        withheld: list(withheld, |withheld| {
            let [at, hash] = items(withheld)?;
            Some((position(at)?, hash_of(hash)?))
        })?,
        tree: hashes(tree)?,
        completeness,
        opened: list(opened, |opened| {
            let [at, field, key] = items(opened)?;
            Some((position(at)?, text(field)?, optional(key, hash_of)?))
        })?,
        origin,
    })
}

/// The pairs of the keys that each data part has, and the seals behind them, if there are any.
fn split_origin(json: &Json) -> Option<(&[(String, Json)], Vec<(u64, Vec<u8>)>)> {
    let Json::Object(pairs) = json else { return None };
    match pairs.split_last() {
        Some(((key, origin), required)) if key == "origin" => {
            let origin = list(origin, |seal| {
                let [at, commands] = items(seal)?;
                Some((position(at)?, bytes(commands)?))
            })?;
            (!origin.is_empty()).then_some((required, origin))
        }
        _ => Some((pairs, Vec::new())),
    }
}

fn read_completeness(json: &Json) -> Option<Completeness> {
    let keys = ["value", "other", "siblings", "begin", "entries"];
    completeness_of(values(json, keys)?, None)
}

fn read_completeness_of_record(json: &Json) -> Option<Completeness> {
    let [value, other, siblings, begin, entries, checkpoint] =
        values(json, ["value", "other", "siblings", "begin", "entries", "checkpoint"])?;
    completeness_of([value, other, siblings, begin, entries], Some(position(checkpoint)?))
}

fn completeness_of(values: [&Json; 5], checkpoint: Option<u64>) -> Option<Completeness> {
    let [value, other, siblings, begin, entries] = values;
    Some(Completeness {
        checkpoint,
        value: optional(value, map_value)?,
        other: optional(other, |other| {
            let [key, value] = items(other)?;
            Some((hash_of(key)?, map_value(value)?))
        })?,
        siblings: hashes(siblings)?,
        begin: position(begin)?,
        entries: hashes(entries)?,
    })
}

fn map_value(json: &Json) -> Option<MapValue> {
    let [count, last, root] = items(json)?;
    let count = position(count).filter(|count| *count > 0)?;
    Some(MapValue { count, last: position(last)?, root: hash_of(root)? })
}

fn optional<T>(json: &Json, read: impl Fn(&Json) -> Option<T>) -> Option<Option<T>> {
    match json {
        Json::Null => Some(None),
        json => read(json).map(Some),
    }
}

/// The values of an object that has these keys, in this order.
fn values<'a, const COUNT: usize>(
    json: &'a Json, keys: [&str; COUNT],
) -> Option<[&'a Json; COUNT]> {
    let Json::Object(pairs) = json else { return None };
    values_of(pairs, keys)
}

fn values_of<'a, const COUNT: usize>(
    pairs: &'a [(String, Json)], keys: [&str; COUNT],
) -> Option<[&'a Json; COUNT]> {
    if !pairs.iter().map(|(key, _)| key.as_str()).eq(keys) {
        return None;
    }
    pairs.iter().map(|(_, value)| value).collect::<Vec<_>>().try_into().ok()
}

fn items<const COUNT: usize>(json: &Json) -> Option<[&Json; COUNT]> {
    json.list()?.iter().collect::<Vec<_>>().try_into().ok()
}

fn list<T>(json: &Json, read: impl Fn(&Json) -> Option<T>) -> Option<Vec<T>> {
    json.list()?.iter().map(read).collect()
}

fn text(json: &Json) -> Option<String> {
    json.text().map(str::to_string)
}

fn moment(json: &Json) -> Option<Option<i64>> {
    optional(json, |json| json.whole().filter(|moment| (0..MOMENT_END).contains(moment)))
}

fn position(json: &Json) -> Option<u64> {
    json.whole().filter(|position| (0..=POSITION_MAX).contains(position)).map(|found| found as u64)
}

fn bytes(json: &Json) -> Option<Vec<u8>> {
    let text = json.text()?;
    unbase64(text).filter(|bytes| base64(bytes) == text)
}

fn hash_of(json: &Json) -> Option<Hash> {
    bytes(json)?.try_into().ok()
}

fn hashes(json: &Json) -> Option<Vec<Hash>> {
    let bytes = bytes(json)?;
    if bytes.len() % 32 != 0 {
        return None;
    }
    Some(bytes.chunks_exact(32).map(|hash| hash.try_into().unwrap_or_default()).collect())
}
