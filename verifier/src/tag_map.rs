//! The tag map of docs/format.md: a binary tree over the SHA-256 of tags.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::buckets::{Buckets, BUCKETS};
use crate::fault::{unavailable, Result};
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

/// Root of a map from the hash of a key's leaf and its siblings, from below.
pub fn climb(key: &Hash, leaf: Hash, siblings: &[Hash]) -> Hash {
    (0..siblings.len()).rev().zip(siblings).fold(leaf, |hash, (place, beside)| {
        match bit(key, place) {
            0 => map_node(&hash, beside),
            _ => map_node(beside, &hash),
        }
    })
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

/// What a part of the map has: no tag, one, or a node above several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Top {
    Empty,
    One(Hash),
    Several(Hash),
}

impl Top {
    fn hash(self) -> Hash {
        match self {
            Top::Empty => ZERO,
            Top::One(hash) | Top::Several(hash) => hash,
        }
    }

    /// The part above two halves: a single tag stands for itself, however high.
    fn above(left: Top, right: Top) -> Top {
        match (left, right) {
            (Top::Empty, Top::Empty) => Top::Empty,
            (Top::One(leaf), Top::Empty) | (Top::Empty, Top::One(leaf)) => Top::One(leaf),
            _ => Top::Several(map_node(&left.hash(), &right.hash())),
        }
    }
}

/// The map below some depth, in memory; it takes entries in the order of their positions.
struct SubMap {
    depth: usize,
    numbers: HashMap<Hash, u32, BuildHasherDefault<FirstBytes>>,
    tags: Vec<Tag>,
    nodes: Vec<Node>,
    top: Part,
    changed: Vec<u32>,
}

impl SubMap {
    fn below(depth: usize) -> SubMap {
        SubMap {
            depth,
            numbers: HashMap::default(),
            tags: Vec::new(),
            nodes: Vec::new(),
            top: Part::Empty,
            changed: Vec::new(),
        }
    }

    /// Say that a message bears a tag; `entry` is the leaf of the message in the tag's own tree.
    fn add(&mut self, key: &Hash, position: u64, entry: Hash) {
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

    fn top(&mut self) -> Top {
        for number in std::mem::take(&mut self.changed) {
            let tag = &mut self.tags[number as usize];
            tag.is_changed = false;
            let value = TagValue { count: tag.tree.size, last: tag.last, root: tag.tree.root() };
            tag.leaf = tag_leaf(&tag.key, &value);
            self.place(number);
        }
        let top = self.top;
        let hash = self.hash(top);
        match top {
            Part::Empty => Top::Empty,
            Part::Tag(_) => Top::One(hash),
            Part::Node(_) => Top::Several(hash),
        }
    }

    /// Find the leaf of a tag or make it, and mark every node above it.
    fn place(&mut self, number: u32) {
        let key = self.tags[number as usize].key;
        let mut above: Option<(u32, usize)> = None;
        let mut part = self.top;
        let mut depth = self.depth;
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

/// A bucket has the keys of one first byte: those of a node at this depth.
const DEPTH: usize = 8;

/// The tags of a chain in the order of its messages, and the sizes at which the map is asked for.
///
/// Memory does not grow with the tags: the map is computed bucket by bucket when all have come.
pub struct TagMap {
    /// Key, position, and leaf of the message in the tag's own tree.
    entries: Buckets<72>,
    sizes: Vec<u64>,
}

impl TagMap {
    pub fn new() -> TagMap {
        TagMap { entries: Buckets::new(), sizes: Vec::new() }
    }

    /// Say that a message bears a tag; `leaf` is the one of the message in the tag's own tree.
    pub fn add(&mut self, key: &Hash, position: u64, leaf: &Hash) -> Result<()> {
        let mut entry = [0; 72];
        entry[..32].copy_from_slice(key);
        entry[32..40].copy_from_slice(&position.to_be_bytes());
        entry[40..].copy_from_slice(leaf);
        self.entries.add(key[0], entry)
    }

    /// Ask for the root over the first messages; sizes have to come in ascending order.
    pub fn ask(&mut self, size: u64) {
        self.sizes.push(size);
    }

    /// The root at each size that was asked for.
    pub fn roots(&self, jobs: usize) -> Result<Vec<Hash>> {
        if self.sizes.is_empty() {
            return Ok(Vec::new());
        }
        // As a binary counter: two neighbours of one height become one of the next.
        let mut stack: Vec<(u32, Vec<Top>)> = Vec::new();
        let buckets: Vec<usize> = (0..BUCKETS).collect();
        for group in buckets.chunks(jobs.max(1)) {
            for tops in self.tops_of(group)? {
                let mut one = (0, tops);
                while stack.last().is_some_and(|(height, _)| *height == one.0) {
                    let Some((height, left)) = stack.pop() else { break };
                    let both = left.into_iter().zip(one.1);
                    one = (height + 1, both.map(|(left, right)| Top::above(left, right)).collect());
                }
                stack.push(one);
            }
        }
        let whole = stack.pop().map(|(_, tops)| tops).unwrap_or_default();
        Ok(whole.into_iter().map(Top::hash).collect())
    }

    fn tops_of(&self, group: &[usize]) -> Result<Vec<Vec<Top>>> {
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                group.iter().map(|bucket| scope.spawn(|| self.tops(*bucket))).collect();
            let ended = |_| unavailable("a thread ended before its work");
            threads.into_iter().map(|thread| thread.join().map_err(ended)?).collect()
        })
    }

    /// What the map has in a bucket at each size.
    fn tops(&self, bucket: usize) -> Result<Vec<Top>> {
        let mut map = SubMap::below(DEPTH);
        let mut sizes = self.sizes.iter().peekable();
        let mut tops = Vec::with_capacity(self.sizes.len());
        self.entries.each(bucket, |entry| {
            let (key, rest) = entry.split_first_chunk().unwrap_or((&ZERO, &[]));
            let (position, leaf) = rest.split_first_chunk().unwrap_or((&[0; 8], &[]));
            let position = u64::from_be_bytes(*position);
            while sizes.next_if(|size| **size <= position).is_some() {
                tops.push(map.top());
            }
            map.add(key, position, leaf.try_into().unwrap_or(ZERO));
        })?;
        tops.resize_with(self.sizes.len(), || map.top());
        Ok(tops)
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
        map.ask(0);
        map.add(&round, 0, &entry(0, &hashes[0])).unwrap();
        map.add(&round, 1, &entry(1, &hashes[1])).unwrap();
        map.add(&account, 1, &entry(1, &hashes[1])).unwrap();
        map.add(&account, 2, &entry(2, &hashes[2])).unwrap();
        map.ask(3);
        let roots = map.roots(2).unwrap();
        assert_eq!(roots[0], ZERO);
        assert_eq!(
            hex(&roots[1]),
            "5b8e005a6a20eb35e299471976a0d04ab41557347eaa5c766f33fc7e63520485"
        );
    }

    #[test]
    fn a_map_in_parts_is_the_map_that_was_made_at_once() {
        let keys: Vec<Hash> =
            (0..60_000u32).map(|n| sha256(&[&(n * n % 20_011).to_be_bytes()])).collect();
        let (mut whole, mut parts, mut wanted) = (SubMap::below(0), TagMap::new(), Vec::new());
        for (position, key) in keys.iter().enumerate() {
            let leaf = entry(position as u64, key);
            if position < 300 || position % 1777 == 0 {
                parts.ask(position as u64);
                wanted.push(whole.top().hash());
            }
            whole.add(key, position as u64, leaf);
            parts.add(key, position as u64, &leaf).unwrap();
        }
        parts.ask(keys.len() as u64);
        wanted.push(whole.top().hash());
        for jobs in [1, 3] {
            assert_eq!(parts.roots(jobs).unwrap(), wanted);
        }
    }
}
