//! Checkpoints as signed notes, keys, cosignatures and policies, as docs/format.md and C2SP have them.

use ml_dsa::signature::Verifier as _;
use ml_dsa::MlDsa44;
use ring::signature::{
    UnparsedPublicKey, ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_FIXED, ED25519,
};

use crate::data_part::POSITION_MAX;
use crate::hash::{hex, sha256, Hash};

const CHARACTERS_MAX: usize = 65_536;

/// The kind of a key: what stands before the public key in its identifier.
const OF_LOG: u8 = 1;
const OF_LOG_ECDSA: u8 = 2;
const OF_WITNESS: u8 = 4;
const OF_WITNESS_ML_DSA: u8 = 6;

/// The kinds of keys of logs, and those of witnesses.
pub const OF_LOGS: [u8; 2] = [OF_LOG, OF_LOG_ECDSA];
pub const OF_WITNESSES: [u8; 2] = [OF_WITNESS, OF_WITNESS_ML_DSA];

/// DER of SubjectPublicKeyInfo of a key on P-256, before the coordinates of its point.
const P256_PREFIX: [u8; 27] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
];

/// The kind of a key of a log or a witness by the name of its algorithm.
pub fn kind_of(algorithm: &str, kinds: &[u8]) -> Option<u8> {
    kinds.iter().copied().find(|kind| {
        let name = match *kind {
            OF_LOG_ECDSA => "ECDSA-P256",
            OF_WITNESS_ML_DSA => "ML-DSA-44",
            _ => "Ed25519",
        };
        name == algorithm
    })
}

fn key_bytes(kind: u8) -> Option<usize> {
    match kind {
        OF_LOG | OF_WITNESS => Some(32),
        OF_LOG_ECDSA => Some(P256_PREFIX.len() + 64),
        OF_WITNESS_ML_DSA => Some(1312),
        _ => None,
    }
}

/// A public key under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    pub name: String,
    pub kind: u8,
    pub public: Vec<u8>,
}

impl Key {
    /// A key with the number of bytes of its kind.
    pub fn new(name: &str, kind: u8, public: &[u8]) -> Option<Key> {
        let is_whole = key_bytes(kind) == Some(public.len());
        is_whole.then(|| Key { name: name.to_string(), kind, public: public.to_vec() })
    }

    /// First four bytes of SHA-256 over name, line feed, kind and public key; of ECDSA over the
    /// public key alone.
    pub fn id(&self) -> [u8; 4] {
        let digest = match self.kind {
            OF_LOG_ECDSA => sha256(&[&self.public]),
            _ => sha256(&[self.name.as_bytes(), b"\n", &[self.kind], &self.public]),
        };
        [digest[0], digest[1], digest[2], digest[3]]
    }

    /// The line by which the key is exchanged.
    pub fn line(&self) -> String {
        let mut bytes = vec![self.kind];
        bytes.extend_from_slice(&self.public);
        format!("{}+{}+{}", self.name, hex(&self.id()), base64(&bytes))
    }

    /// The key for people: without the key itself where that is long.
    pub fn short_line(&self) -> String {
        match self.kind {
            OF_WITNESS_ML_DSA => format!("{}+{} (ML-DSA-44)", self.name, hex(&self.id())),
            _ => self.line(),
        }
    }

    pub fn parse(line: &str) -> Result<Key, String> {
        let wrong = || format!("no public key: {line:?}; expected <name>+<key ID>+<base64>");
        let mut parts = line.splitn(3, '+');
        let (Some(name), Some(id), Some(bytes)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(wrong());
        };
        let bytes = unbase64(bytes).ok_or_else(wrong)?;
        let (kind, public) = bytes.split_first().ok_or_else(wrong)?;
        let key = Key::new(name, *kind, public).filter(|_| is_name(name)).ok_or_else(wrong)?;
        if hex(&key.id()) != id {
            return Err(format!("the key ID of {line:?} does not follow from its key"));
        }
        Ok(key)
    }

    /// Whether a line is a public key, with its key ID, of a kind that is not read here.
    pub fn is_of_other_kind(line: &str) -> bool {
        let mut parts = line.splitn(3, '+');
        let (Some(name), Some(id), Some(bytes)) = (parts.next(), parts.next(), parts.next()) else {
            return false;
        };
        let Some(bytes) = unbase64(bytes).filter(|bytes| bytes.len() > 1) else { return false };
        let digest = sha256(&[name.as_bytes(), b"\n", &bytes]);
        is_name(name) && key_bytes(bytes[0]).is_none() && hex(&digest[..4]) == id
    }

    pub fn verifies(&self, text: &[u8], signature: &[u8]) -> bool {
        match self.kind {
            OF_LOG_ECDSA => self.public.strip_prefix(&P256_PREFIX[..26]).is_some_and(|point| {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point)
                    .verify(text, signature)
                    .is_ok()
            }),
            OF_WITNESS_ML_DSA => verifies_ml_dsa(&self.public, text, signature),
            _ => UnparsedPublicKey::new(&ED25519, &self.public).verify(text, signature).is_ok(),
        }
    }

    /// Whether cosignatures with this key are over the extension lines of a checkpoint.
    pub fn covers_extensions(&self) -> bool {
        self.kind != OF_WITNESS_ML_DSA
    }

    /// Whether a witness with this key cosigned a checkpoint at a moment.
    pub fn cosigned(&self, text: &str, seconds: u64, signature: &[u8]) -> bool {
        if self.covers_extensions() {
            let message = format!("cosignature/v1\ntime {seconds}\n{text}");
            return self.verifies(message.as_bytes(), signature);
        }
        cosigned_tree(&self.name, seconds, text)
            .is_some_and(|message| self.verifies(&message, signature))
    }
}

/// Whether a name is one of a key: signs without spaces and `+`.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|sign: char| sign.is_whitespace() || sign == '+')
}

/// Whether a name is one of a chain: 1 to 128 signs of ASCII that can be seen, without `+`.
pub fn is_chain_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|sign| sign.is_ascii_graphic() && sign != b'+')
}

/// What a checkpoint says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub origin: String,
    pub size: u64,
    pub root: Hash,
    /// Root of the tag map; checkpoints in tiles of other logs have none.
    pub map_root: Option<Hash>,
}

impl Checkpoint {
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}\n{}\n", self.origin, self.size, base64(&self.root));
        if let Some(root) = &self.map_root {
            text.push_str(&format!("tag-map {}\n", base64(root)));
        }
        text
    }
}

/// One line of signature in a note.
#[derive(Debug, Clone)]
pub struct Signature {
    pub line: String,
    pub name: String,
    pub id: [u8; 4],
    pub bytes: Vec<u8>,
}

/// A signed checkpoint.
#[derive(Debug, Clone)]
pub struct Note {
    pub text: String,
    pub checkpoint: Checkpoint,
    pub signatures: Vec<Signature>,
}

impl Note {
    pub fn parse(note: &str) -> Result<Note, String> {
        if note.chars().count() > CHARACTERS_MAX {
            return Err(format!("a note has at most {CHARACTERS_MAX} characters"));
        }
        if note.bytes().any(|byte| byte < b' ' && byte != b'\n') {
            return Err("the note holds a control character: it was not copied as it was".into());
        }
        let (text, lines) = note.rsplit_once("\n\n").ok_or("a note needs an empty line")?;
        let text = format!("{text}\n");
        let lines = lines.strip_suffix('\n').ok_or("the note does not end with a line end")?;
        let mut signatures = Vec::new();
        for line in lines.split('\n') {
            signatures.push(read_signature(line).ok_or("a line of the note is no signature")?);
        }
        let checkpoint = read_checkpoint(&text)?;
        Ok(Note { text, checkpoint, signatures })
    }

    /// The note of a file of proofs, and the root of its tag map, which it has to have.
    pub fn with_map(note: &str) -> Result<(Note, Hash), String> {
        let note = Note::parse(note)?;
        let is_countable = note.checkpoint.size <= POSITION_MAX as u64;
        let map_root = note.checkpoint.map_root.filter(|_| is_countable);
        Ok((note, map_root.ok_or("it has no root of a tag map, or too large a size")?))
    }

    /// Signatures that name a key, and whether each is good.
    pub fn signed_by(&self, key: &Key) -> Vec<bool> {
        let id = key.id();
        self.signatures
            .iter()
            .filter(|signature| signature.name == key.name && signature.id == id)
            .map(|signature| key.verifies(self.text.as_bytes(), &signature.bytes))
            .collect()
    }

    /// Moments in seconds at which a witness cosigned; `None` for a false cosignature.
    pub fn cosigned_by(&self, key: &Key) -> Vec<Option<u64>> {
        let id = key.id();
        self.signatures
            .iter()
            .filter(|signature| signature.name == key.name && signature.id == id)
            .map(|signature| {
                let (moment, bytes) = signature.bytes.split_first_chunk::<8>()?;
                let moment = u64::from_be_bytes(*moment);
                key.cosigned(&self.text, moment, bytes).then_some(moment)
            })
            .collect()
    }

    /// The note as the given keys alone signed it.
    pub fn with_signatures_of(&self, keys: &[Key]) -> String {
        let mut note = format!("{}\n", self.text);
        for signature in &self.signatures {
            if keys.iter().any(|key| key.name == signature.name && key.id() == signature.id) {
                note.push_str(&signature.line);
                note.push('\n');
            }
        }
        note
    }
}

/// FIPS 204, with an empty context.
fn verifies_ml_dsa(public: &[u8], text: &[u8], signature: &[u8]) -> bool {
    let (Ok(public), Ok(signature)) =
        (public.try_into(), ml_dsa::Signature::<MlDsa44>::try_from(signature))
    else {
        return false;
    };
    ml_dsa::VerifyingKey::<MlDsa44>::decode(&public).verify(text, &signature).is_ok()
}

/// What a witness signs with ML-DSA-44 (C2SP tlog-cosignature): the tree, and no extension line.
fn cosigned_tree(name: &str, seconds: u64, checkpoint: &str) -> Option<Vec<u8>> {
    let found = read_checkpoint(checkpoint).ok()?;
    let mut message = b"subtree/v1\n\0".to_vec();
    for (text, number) in [(name, seconds), (&found.origin, 0)] {
        let length = u8::try_from(text.len()).ok().filter(|length| *length > 0)?;
        message.push(length);
        message.extend_from_slice(text.as_bytes());
        message.extend_from_slice(&number.to_be_bytes());
    }
    message.extend_from_slice(&found.size.to_be_bytes());
    message.extend_from_slice(&found.root);
    Some(message)
}

fn read_signature(line: &str) -> Option<Signature> {
    let (name, bytes) = line.strip_prefix("— ")?.split_once(' ')?;
    let bytes = unbase64_loosely(bytes)?;
    let (id, signature) = bytes.split_first_chunk::<4>()?;
    let is_whole = !name.is_empty() && !signature.is_empty();
    is_whole.then(|| Signature {
        line: line.to_string(),
        name: name.to_string(),
        id: *id,
        bytes: signature.to_vec(),
    })
}

fn read_checkpoint(text: &str) -> Result<Checkpoint, String> {
    let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
    let [origin, size, root, rest @ ..] = lines.as_slice() else {
        return Err("a checkpoint has at least three lines".into());
    };
    let number: u64 = size.parse().map_err(|_| "the size of the checkpoint is no number")?;
    if number.to_string() != *size || number == 0 || number > i64::MAX as u64 {
        return Err("the size of the checkpoint is no number of messages".into());
    }
    let read = |text: &str| unbase64(text).and_then(|bytes| Hash::try_from(bytes).ok());
    let map_root = match rest {
        [] => None,
        [line] => {
            let root = line.strip_prefix("tag-map ").and_then(read);
            Some(root.ok_or("the checkpoint has a line that is no tag-map")?)
        }
        _ => return Err("the checkpoint has more lines than the format".into()),
    };
    if !is_chain_name(origin) {
        return Err("the origin of the checkpoint is no name of a chain".into());
    }
    let root = read(root).ok_or("the root of the checkpoint is no hash")?;
    Ok(Checkpoint { origin: origin.to_string(), size: number, root, map_root })
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 of RFC 4648 with padding.
pub fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut number = 0u32;
        for place in 0..3 {
            number = number << 8 | u32::from(group.get(place).copied().unwrap_or(0));
        }
        for place in 0..4 {
            if place <= group.len() {
                text.push(DIGITS[(number >> (18 - 6 * place) & 63) as usize] as char);
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// Base64 for URLs, without padding.
pub fn base64url(bytes: &[u8]) -> String {
    base64(bytes).trim_end_matches('=').replace('+', "-").replace('/', "_")
}

/// Whether bytes are a key on P-256 by their number.
pub fn is_p256(public: &[u8]) -> bool {
    public.len() == P256_PREFIX.len() + 64
}

/// Whether a signature of 64 bytes (ES256) is one of a key on P-256.
pub fn verifies_es256(public: &[u8], text: &[u8], signature: &[u8]) -> bool {
    public.strip_prefix(&P256_PREFIX[..26]).is_some_and(|point| {
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(text, signature).is_ok()
    })
}

/// Bytes of base64 in its one form; `None` if it has any other.
pub fn unbase64(text: &str) -> Option<Vec<u8>> {
    unbase64_loosely(text).filter(|bytes| base64(bytes) == text)
}

/// Bytes of base64, whatever bits stand behind the last of them.
fn unbase64_loosely(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    if text.len() % 4 != 0 {
        return None;
    }
    let groups = text.len() / 4;
    for (place, group) in text.as_bytes().chunks(4).enumerate() {
        let mut number = 0u32;
        if group.contains(&b'=') && place + 1 != groups {
            return None;
        }
        let padding = group.iter().rev().take_while(|sign| **sign == b'=').count().min(2);
        for sign in &group[..4 - padding] {
            let digit = match sign {
                b'A'..=b'Z' => sign - b'A',
                b'a'..=b'z' => sign - b'a' + 26,
                b'0'..=b'9' => sign - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            number = number << 6 | u32::from(digit);
        }
        number <<= 6 * padding;
        bytes.extend_from_slice(&number.to_be_bytes()[1..4 - padding]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "casino.example/live+e86c2460+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs";
    const WITNESS: &str = "witness.example/1+02dc2294+BGa+fjMsekUzMr2dCn99sFX1xe8aBq2mbZizn7aBDEc6";
    const NOTE: &str = "casino.example/live\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n\
        tag-map W44AWmog6zXimUcZdqDQSrQVVzR+qlx2bzP8fmNSBIU=\n\n\
        — casino.example/live 6GwkYFTMdpu99OtqDlCqJOQqkU1R0UvzV3HeKCmSZUfGXDjKggJJ5wCJpCJNkn9rrp1URM6xqEqIIIYFCIUsafKv7Q4=\n\
        — witness.example/1 AtwilAAAAABpVbkArt3cVLeOGMYacmVK8FrGcQOROCkyNXyQ7XOakllmg5ylvsk2EFHPMg2YvIabjrNN0pgtFU0KTxczQ7fWxKl0Bw==\n";

    #[test]
    fn the_note_of_the_format_is_good() {
        let (key, witness) = (Key::parse(KEY).unwrap(), Key::parse(WITNESS).unwrap());
        let note = Note::parse(NOTE).unwrap();
        assert_eq!(note.text, note.checkpoint.text());
        assert_eq!(note.signed_by(&key), [true]);
        assert_eq!(note.cosigned_by(&witness), [Some(1_767_225_600)]);
        assert_eq!(key.line(), KEY);
        let altered = NOTE.replace("\n3\n", "\n4\n");
        assert_eq!(Note::parse(&altered).unwrap().signed_by(&key), [false]);
    }

    #[test]
    fn base64_has_one_form() {
        for bytes in [&b""[..], b"a", b"ab", b"abc", b"abcd"] {
            assert_eq!(unbase64(&base64(bytes)).unwrap(), bytes);
        }
        for text in ["YQ", "YR==", "Y===", "YQ==YQ==", "Y-==", "=", "===="] {
            assert!(unbase64(text).is_none(), "{text}");
        }
    }
}
