//! The tag map of docs/format.md: a binary tree over the SHA-256 of tags, kept up to date.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::hash::{sha256, Hash, ZERO};
use crate::merkle::Frontier;

/// What the map says of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagValue {
    pub count: u64,
    pub last: u64,
    pub root: Hash,
}

/// Leaf of a tag: SHA-256 of 02, key, count, last and root.
pub fn tag_leaf(key: &Hash, value: &TagValue) -> Hash {
    sha256(&[&[2], key, &value.count.to_be_bytes(), &value.last.to_be_bytes(), &value.root])
}

/// A part of the map with more than one tag: SHA-256 of 03 and its halves.
pub fn map_node(left: &Hash, right: &Hash) -> Hash {
    sha256(&[&[3], left, right])
}

/// The bit of a key at a depth; the first is the most significant one of the first byte.
pub fn bit(key: &Hash, depth: usize) -> usize {
    usize::from(key[depth / 8] >> (7 - depth % 8) & 1)
}

struct Tag {
    key: Hash,
    last: u64,
    tree: Frontier,
    leaf: Hash,
    is_changed: bool,
}

#[derive(Clone, Copy)]
enum Part {
    Empty,
    Tag(u32),
    Node(u32),
}

struct Node {
    halves: [Part; 2],
    hash: Hash,
    is_changed: bool,
}

/// Keys are hashes already, so their first bytes serve as the hash of a table.
#[derive(Default)]
pub struct FirstBytes(u64);

impl Hasher for FirstBytes {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    fn write_usize(&mut self, _length: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The map, which takes entries in the order of their positions.
pub struct TagMap {
    numbers: HashMap<Hash, u32, BuildHasherDefault<FirstBytes>>,
    tags: Vec<Tag>,
    nodes: Vec<Node>,
    top: Part,
    changed: Vec<u32>,
}

impl TagMap {
    pub fn new() -> TagMap {
        TagMap {
            numbers: HashMap::default(),
            tags: Vec::new(),
            nodes: Vec::new(),
            top: Part::Empty,
            changed: Vec::new(),
        }
    }

    /// Say that a message bears a tag; `entry` is the leaf of the message in the tag's own tree.
    pub fn add(&mut self, key: &Hash, position: u64, entry: Hash) {
        let next = self.tags.len() as u32;
        let number = *self.numbers.entry(*key).or_insert(next);
        if number == next {
            let tree = Frontier::default();
            self.tags.push(Tag { key: *key, last: 0, tree, leaf: ZERO, is_changed: false });
        }
        let tag = &mut self.tags[number as usize];
        if !tag.is_changed {
            tag.is_changed = true;
            self.changed.push(number);
        }
        tag.last = position;
        tag.tree.add(entry);
    }

    pub fn root(&mut self) -> Hash {
        for number in std::mem::take(&mut self.changed) {
            let tag = &mut self.tags[number as usize];
            tag.is_changed = false;
            let value = TagValue { count: tag.tree.size, last: tag.last, root: tag.tree.root() };
            tag.leaf = tag_leaf(&tag.key, &value);
            self.place(number);
        }
        let top = self.top;
        self.hash(top)
    }

    /// Find the leaf of a tag or make it, and mark every node above it.
    fn place(&mut self, number: u32) {
        let key = self.tags[number as usize].key;
        let mut above: Option<(u32, usize)> = None;
        let mut part = self.top;
        let mut depth = 0;
        loop {
            match part {
                Part::Node(node) => {
                    let half = bit(&key, depth);
                    self.nodes[node as usize].is_changed = true;
                    above = Some((node, half));
                    part = self.nodes[node as usize].halves[half];
                    depth += 1;
                }
                Part::Tag(other) if other == number => return,
                Part::Tag(other) => {
                    // Both stand below as many new nodes as their keys have bits in common.
                    let other_key = self.tags[other as usize].key;
                    let node = self.nodes.len() as u32;
                    let mut halves = [Part::Empty; 2];
                    halves[bit(&other_key, depth)] = Part::Tag(other);
                    self.nodes.push(Node { halves, hash: ZERO, is_changed: true });
                    self.put(above, Part::Node(node));
                    part = Part::Node(node);
                }
                Part::Empty => {
                    self.put(above, Part::Tag(number));
                    return;
                }
            }
        }
    }

    fn put(&mut self, above: Option<(u32, usize)>, part: Part) {
        match above {
            None => self.top = part,
            Some((node, half)) => self.nodes[node as usize].halves[half] = part,
        }
    }

    fn hash(&mut self, part: Part) -> Hash {
        match part {
            Part::Empty => ZERO,
            Part::Tag(number) => self.tags[number as usize].leaf,
            Part::Node(number) => {
                let number = number as usize;
                if self.nodes[number].is_changed {
                    let [left, right] = self.nodes[number].halves;
                    let hash = map_node(&self.hash(left), &self.hash(right));
                    self.nodes[number].hash = hash;
                    self.nodes[number].is_changed = false;
                }
                self.nodes[number].hash
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{entry, hex, leaf};

    #[test]
    fn three_messages_have_the_map_of_the_format() {
        let (round, account) = (sha256(&[b"round:r-1"]), sha256(&[b"account:a-1"]));
        let hashes = [leaf(b"a"), leaf(b"b"), leaf(b"c")];
        let mut map = TagMap::new();
        assert_eq!(map.root(), ZERO);
        map.add(&round, 0, entry(0, &hashes[0]));
        map.add(&round, 1, entry(1, &hashes[1]));
        map.root();
        map.add(&account, 1, entry(1, &hashes[1]));
        map.add(&account, 2, entry(2, &hashes[2]));
        assert_eq!(
            hex(&map.root()),
            "5b8e005a6a20eb35e299471976a0d04ab41557347eaa5c766f33fc7e63520485"
        );
    }

    #[test]
    fn a_map_that_grew_is_the_map_that_was_made_at_once() {
        let keys: Vec<Hash> = (0..500u32).map(|n| sha256(&[&(n % 97).to_be_bytes()])).collect();
        let (mut grown, mut whole) = (TagMap::new(), TagMap::new());
        for (position, key) in keys.iter().enumerate() {
            let leaf = entry(position as u64, key);
            grown.add(key, position as u64, leaf);
            whole.add(key, position as u64, leaf);
            if position % 7 == 0 {
                grown.root();
            }
        }
        assert_eq!(grown.root(), whole.root());
    }
}
