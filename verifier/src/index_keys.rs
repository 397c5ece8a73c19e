//! Number and sum of the keys that gameledger's index beside a log must hold of its messages.
//!
//! gameledger gives a secret of one verification and compares the sum with that of its index. The
//! index is no part of the format, so nothing of it is read here.

use std::collections::HashMap;

use crate::avro::{Reader, Type};
use crate::hash::{sha256, unhex};
use crate::message::{Record, NUMBERS};
use crate::schema::{known_names, Schema};

/// Computes sums of the keys of the first messages of a chain.
pub struct IndexKeys {
    secret: Vec<u8>,
    size: u64,
    factors: [u64; 4],
    /// Hash of the tag that every message has.
    every: u64,
    types: HashMap<&'static str, u64>,
}

#[derive(Default, Clone, Copy)]
pub struct Sums {
    pub number: u64,
    pub total: u64,
    /// First message of a type that this version does not know.
    pub foreign: Option<u64>,
}

impl Sums {
    pub fn add(&mut self, later: Sums) {
        self.number += later.number;
        self.total = self.total.wrapping_add(later.total);
        self.foreign = self.foreign.or(later.foreign);
    }

    fn key(&mut self, mixed: u64) {
        self.add(Sums { number: 1, total: mixed, foreign: None });
    }
}

impl IndexKeys {
    /// Read the secret in hexadecimal digits, a colon and the number of messages.
    pub fn parse(text: &str) -> Option<IndexKeys> {
        let (secret, size) = text.split_once(':')?;
        let (secret, size) = (unhex(secret)?, size.parse().ok()?);
        let digest = sha256(&[&secret, b"factors"]);
        let mut factors = [0; 4];
        for (factor, bytes) in factors.iter_mut().zip(digest.chunks_exact(8)) {
            *factor = word(bytes) | 1;
        }
        let every = word(&sha256(&[&secret])[..8]);
        let types = known_names().into_iter().zip(0..).collect();
        Some(IndexKeys { secret, size, factors, every, types })
    }

    /// Add the keys of a message that was checked.
    pub fn add(
        &self, sums: &mut Sums, position: u64, record: &Record, schema: &Schema, body: &[u8],
    ) -> Result<(), &'static str> {
        if position >= self.size {
            return Ok(());
        }
        let known = self.types.get(schema.name.as_str()).filter(|_| schema.is_known);
        let Some(kind) = known else {
            sums.foreign = sums.foreign.or(Some(position));
            return Ok(());
        };
        let [a, b, c, d] = self.factors;
        let place = kind.wrapping_mul(a).wrapping_add(position.wrapping_mul(b));
        let mut tags = vec![self.every];
        self.tags(schema, body, &mut tags)?;
        tags.sort_unstable();
        tags.dedup();
        for tag in tags {
            sums.key(mixed(tag.wrapping_add(place)));
        }
        if record.index == 0 {
            let low = mixed(word(&record.command[..8]).wrapping_mul(c));
            let high = mixed(word(&record.command[8..]).wrapping_mul(d));
            let numbers =
                position.wrapping_mul(b).wrapping_add((record.size as u64).wrapping_mul(a));
            let command = low.wrapping_add(high.wrapping_mul(c));
            sums.key(mixed(command.wrapping_add(numbers).wrapping_add(d)));
        }
        Ok(())
    }

    fn tags(&self, schema: &Schema, body: &[u8], tags: &mut Vec<u64>) -> Result<(), &'static str> {
        let mut reader = Reader::new(body);
        reader.at = NUMBERS;
        for _ in 0..5 {
            reader.long()?;
        }
        reader.text()?;
        reader.text()?;
        for field in &schema.facts {
            match (field.kind, &field.tag) {
                (Type::Text, Some(kind)) => self.tag(kind, reader.text()?, tags),
                (Type::Texts, Some(kind)) => {
                    let count = reader.count()?;
                    for _ in 0..count {
                        self.tag(kind, reader.text()?, tags);
                    }
                    if count > 0 {
                        reader.end_of_array()?;
                    }
                }
                (other, _) => {
                    reader.value(other)?;
                }
            }
        }
        Ok(())
    }

    fn tag(&self, kind: &str, text: &str, tags: &mut Vec<u64>) {
        if !text.is_empty() {
            // A zero byte ends a tag in a key, so one within it is escaped.
            let escaped = text
                .bytes()
                .flat_map(|byte| std::iter::once(byte).chain((byte == 0).then_some(0xff)));
            let escaped: Vec<u8> = escaped.collect();
            let digest = sha256(&[&self.secret, kind.as_bytes(), b":", &escaped]);
            tags.push(word(&digest[..8]));
        }
    }
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().unwrap_or_default())
}

/// Mix the bits of a word (SplitMix64).
fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}
