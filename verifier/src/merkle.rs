//! Trees as RFC 6962, section 2.1, has them: growing ones, and proofs of several leaves at once.

use crate::hash::{node, sha256, Hash};

/// A tree that grows by leaves and keeps one hash for each bit of its size.
#[derive(Debug, Clone, Default)]
pub struct Frontier {
    pub size: u64,
    /// Roots of the full subtrees, the largest first.
    roots: Vec<Hash>,
}

impl Frontier {
    pub fn add(&mut self, leaf: Hash) {
        let mut hash = leaf;
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.roots.pop() {
                hash = node(&left, &hash);
            }
        }
        if self.roots.len() == self.roots.capacity() {
            // Many trees of a few leaves are kept: doubling would waste half of their memory.
            self.roots.reserve_exact(1);
        }
        self.roots.push(hash);
        self.size += 1;
    }

    pub fn root(&self) -> Hash {
        let mut roots = self.roots.iter().rev();
        match roots.next() {
            None => sha256(&[]),
            Some(last) => roots.fold(*last, |right, left| node(left, &right)),
        }
    }
}

/// The largest power of two below a size of at least 2.
pub fn split(size: u64) -> u64 {
    1 << (63 - (size - 1).leading_zeros())
}

/// Root of a tree of which some leaves are given and a list of hashes for all parts without them.
///
/// Leaves are ascending by their number. `None` if they and the hashes do not make a tree of the size.
pub fn root_of(size: u64, leaves: &[(u64, Hash)], hashes: &[Hash]) -> Option<Hash> {
    let mut rest = hashes.iter();
    let root = walk(0, size, leaves, &mut rest)?;
    rest.next().is_none().then_some(root)
}

fn walk(
    begin: u64, size: u64, leaves: &[(u64, Hash)], hashes: &mut std::slice::Iter<Hash>,
) -> Option<Hash> {
    match leaves {
        [] => hashes.next().copied(),
        [(number, hash)] if size == 1 => (*number == begin).then_some(*hash),
        _ if size < 2 => None,
        _ => {
            let middle = begin + split(size);
            let cut = leaves.partition_point(|(number, _)| *number < middle);
            let left = walk(begin, middle - begin, &leaves[..cut], hashes)?;
            let right = walk(middle, begin + size - middle, &leaves[cut..], hashes)?;
            Some(node(&left, &right))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{hex, leaf};

    #[test]
    fn three_messages_have_the_root_of_the_format() {
        let mut tree = Frontier::default();
        for message in [b"a", b"b", b"c"] {
            tree.add(leaf(message));
        }
        assert_eq!(
            hex(&tree.root()),
            "36642e73c2540ab121e3a6bf9545b0a24982cd830eb13d3cd19de3ce6c021ec1"
        );
    }

    #[test]
    fn leaves_and_the_roots_between_them_give_the_root() {
        let leaves: Vec<Hash> = (0..13u8).map(|number| leaf(&[number])).collect();
        let mut tree = Frontier::default();
        leaves.iter().for_each(|leaf| tree.add(*leaf));
        let all: Vec<_> = (0..13).zip(leaves.iter().copied()).collect();
        assert_eq!(root_of(13, &all, &[]), Some(tree.root()));
        assert_eq!(root_of(12, &all, &[]), None);
        assert_eq!(root_of(14, &all, &[]), None);
        assert_eq!(root_of(13, &all, &[leaves[0]]), None);
        let few = [all[12]];
        let mut left = Frontier::default();
        leaves[..8].iter().for_each(|leaf| left.add(*leaf));
        let mut middle = Frontier::default();
        leaves[8..12].iter().for_each(|leaf| middle.add(*leaf));
        assert_eq!(root_of(13, &few, &[left.root(), middle.root()]), Some(tree.root()));
    }
}
