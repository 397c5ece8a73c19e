//! Seals of sources, as docs/format.md has them.

use std::collections::HashMap;

use crate::hash::{hex, sha256};
use crate::note::{base64url, is_p256, verifies_es256};
use crate::schema::Facts;

pub const MARK_BYTES: usize = 6;
/// Largest number of the first command of a seal.
const NUMBER_MAX: i64 = 1_000_000_000_000_000;
const SECOND: i64 = 1_000_000;

struct Source {
    public: Vec<u8>,
    certificate: Vec<u8>,
}

/// The sources of a chain by name, as registered last.
#[derive(Default)]
pub struct Sources(HashMap<String, Source>);

impl Sources {
    /// Take in a registration; false if its key is not one of its certificate.
    pub fn register(&mut self, facts: &Facts) -> bool {
        let (public, certificate) = (facts.bytes("public_key"), facts.bytes("certificate"));
        let is_part = |key: &[u8]| certificate.windows(key.len()).any(|part| part == key);
        let is_whole = is_p256(public) && is_part(public);
        if !is_whole && !(public.is_empty() && certificate.is_empty()) {
            return false;
        }
        let source = Source { public: public.to_vec(), certificate: certificate.to_vec() };
        self.0.insert(facts.text("system").to_string(), source);
        true
    }

    /// Whether a seal is signed by the key of its source.
    pub fn is_sealed(&self, chain: &str, facts: &Facts) -> bool {
        let Some(source) = self.0.get(facts.text("system")) else { return false };
        let (marks, commands) = (facts.bytes("marks"), facts.number("commands"));
        let is_whole = i128::from(commands) * MARK_BYTES as i128 == marks.len() as i128;
        if !is_whole || !(1..=NUMBER_MAX).contains(&facts.number("first_number")) {
            return false;
        }
        let until = facts.number("until");
        let header = format!(
            "{{\"alg\":\"ES256\",\"iat\":{},\"x5t#S256\":\"{}\"}}",
            until / SECOND,
            base64url(&sha256(&[&source.certificate]))
        );
        let payload = format!(
            "gameledger-source-seal/v1\n{chain}\n{}\n{} {commands}\n{until}\n{}\n{}\n{}\n",
            facts.text("system"),
            facts.number("first_number"),
            if facts.is_true("is_last") { "last" } else { "more" },
            hex(facts.bytes("digest")),
            hex(marks)
        );
        let signed = format!("{}.{}", base64url(header.as_bytes()), base64url(payload.as_bytes()));
        verifies_es256(&source.public, signed.as_bytes(), facts.bytes("signature"))
    }
}
