//! Commands that were decided twice, found in memory that does not grow with their number.

use crate::buckets::{Buckets, BUCKETS};
use crate::fault::Result;

/// The identifiers of all commands, with the position of the first message of each decision.
pub struct Commands(Buckets<24>);

impl Commands {
    pub fn new() -> Commands {
        Commands(Buckets::new())
    }

    pub fn add(&mut self, command: [u8; 16], position: u64) -> Result<()> {
        let mut entry = [0; 24];
        entry[..16].copy_from_slice(&command);
        entry[16..].copy_from_slice(&position.to_be_bytes());
        // The first bytes of an identifier may be a time; the last one differs.
        self.0.add(command[15], entry)
    }

    /// Position of the first decision of a command that was decided before.
    pub fn first_repeat(&self) -> Result<Option<u64>> {
        let mut found: Option<u64> = None;
        let mut entries = Vec::new();
        for bucket in 0..BUCKETS {
            entries.clear();
            self.0.each(bucket, |entry| entries.push(*entry))?;
            entries.sort_unstable();
            for pair in entries.windows(2).filter(|pair| pair[0][..16] == pair[1][..16]) {
                let position = pair[1].last_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
                found = Some(found.map_or(position, |first| first.min(position)));
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_repeat(numbers: &[u8]) -> Option<u64> {
        let mut commands = Commands::new();
        for (position, number) in numbers.iter().enumerate() {
            commands.add([*number; 16], position as u64).unwrap();
        }
        commands.first_repeat().unwrap()
    }

    #[test]
    fn the_first_repeat_is_found() {
        assert_eq!(first_repeat(&[9, 8, 7, 6, 5, 4, 3, 2, 1]), None);
        assert_eq!(first_repeat(&[9, 8, 7, 6, 5, 8, 3, 9]), Some(5));
        assert_eq!(first_repeat(&[1, 1, 1]), Some(1));
        assert_eq!(first_repeat(&[]), None);
    }
}
