//! SHA-256 as docs/format.md uses it: leaves, nodes, and hashes over several parts.

use sha2::digest::generic_array::GenericArray;
use sha2::{Digest, Sha256};

pub type Hash = [u8; 32];

pub const ZERO: Hash = [0; 32];

const INITIAL: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// SHA-256 of parts, one behind the other.
pub fn sha256(parts: &[&[u8]]) -> Hash {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
    }
    digest.finalize().into()
}

/// Hash of a message, which is a leaf of the tree: SHA-256 of 00 and its bytes.
pub fn leaf(message: &[u8]) -> Hash {
    sha256(&[&[0], message])
}

/// Node of a tree: SHA-256 of 01 and the two nodes below it.
pub fn node(left: &Hash, right: &Hash) -> Hash {
    // 65 bytes fill one block and one byte of the next; padding and length are constant.
    let mut blocks = [[0u8; 64]; 2];
    blocks[0][0] = 1;
    blocks[0][1..33].copy_from_slice(left);
    blocks[0][33..].copy_from_slice(&right[..31]);
    blocks[1][0] = right[31];
    blocks[1][1] = 0x80;
    blocks[1][62..].copy_from_slice(&(65u16 * 8).to_be_bytes());
    compress(&blocks)
}

/// Leaf of a tag's own tree: SHA-256 of 00, the position in 8 bytes, and the hash of the message.
pub fn entry(position: u64, message: &Hash) -> Hash {
    let mut block = [0u8; 64];
    block[1..9].copy_from_slice(&position.to_be_bytes());
    block[9..41].copy_from_slice(message);
    block[41] = 0x80;
    block[62..].copy_from_slice(&(41u16 * 8).to_be_bytes());
    compress(&[block])
}

fn compress(blocks: &[[u8; 64]]) -> Hash {
    let mut state = INITIAL;
    for block in blocks {
        sha2::compress256(&mut state, std::slice::from_ref(GenericArray::from_slice(block)));
    }
    let mut found = ZERO;
    for (bytes, word) in found.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    found
}

/// Bytes in lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes of hexadecimal digits; `None` if there is another sign or an odd one.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|sign| sign.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits?;
    if digits.len() % 2 != 0 {
        return None;
    }
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_blocks_give_the_hash_of_the_parts() {
        let (left, right) = (sha256(&[b"l"]), sha256(&[b"r"]));
        assert_eq!(node(&left, &right), sha256(&[&[1], &left, &right]));
        assert_eq!(entry(77, &left), sha256(&[&[0], &77u64.to_be_bytes(), &left]));
        assert_eq!(unhex(&hex(&left)).unwrap(), left);
    }
}
