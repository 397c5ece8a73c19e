//! Entries of one size, sorted into buckets by a byte of them, in memory that does not grow with them.

use std::fs::File;
use std::os::unix::fs::FileExt;

use crate::fault::{unavailable, Fault, Result};

pub const BUCKETS: usize = 256;

/// Entries of a bucket that are kept in memory before they go to the file.
const BUFFERED: usize = 200;

/// Buckets, each of which gives its entries back in the order in which they came.
pub struct Buckets<const SIZE: usize> {
    buffers: Vec<Vec<[u8; SIZE]>>,
    /// Where the full buffers of each bucket lie in the file.
    blocks: Vec<Vec<u64>>,
    file: Option<File>,
    written: u64,
}

impl<const SIZE: usize> Buckets<SIZE> {
    pub fn new() -> Buckets<SIZE> {
        Buckets {
            buffers: vec![Vec::new(); BUCKETS],
            blocks: vec![Vec::new(); BUCKETS],
            file: None,
            written: 0,
        }
    }

    pub fn add(&mut self, bucket: u8, entry: [u8; SIZE]) -> Result<()> {
        let bucket = usize::from(bucket);
        let buffer = &mut self.buffers[bucket];
        buffer.push(entry);
        if buffer.len() == BUFFERED {
            let file = match &self.file {
                Some(file) => file,
                None => self.file.insert(temporary_file().map_err(no_room)?),
            };
            file.write_all_at(buffer.as_flattened(), self.written).map_err(no_room)?;
            self.blocks[bucket].push(self.written);
            self.written += (BUFFERED * SIZE) as u64;
            buffer.clear();
        }
        Ok(())
    }

    /// Call a function with each entry of a bucket.
    pub fn each(&self, bucket: usize, mut entry: impl FnMut(&[u8; SIZE])) -> Result<()> {
        let mut block = [[0; SIZE]; BUFFERED];
        for place in &self.blocks[bucket] {
            if let Some(file) = &self.file {
                file.read_exact_at(block.as_flattened_mut(), *place).map_err(no_room)?;
            }
            block.iter().for_each(&mut entry);
        }
        self.buffers[bucket].iter().for_each(entry);
        Ok(())
    }
}

/// A file that has no name any more, so that nothing is left when the program ends.
fn temporary_file() -> std::io::Result<File> {
    for number in 0..1000 {
        let name = format!("gameledger-verify-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        match File::options().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                std::fs::remove_file(&path)?;
                return Ok(file);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

fn no_room(error: std::io::Error) -> Fault {
    unavailable(format!(
        "no room for sorting in {}: {error}; name another folder with TMPDIR",
        std::env::temp_dir().display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_in_their_order() {
        let mut buckets = Buckets::new();
        for number in 0..5 * BUFFERED as u32 {
            buckets.add((number % 3) as u8, number.to_be_bytes()).unwrap();
        }
        assert!(buckets.file.is_some(), "nothing went to the file");
        for bucket in 0..3 {
            let mut found = Vec::new();
            buckets.each(bucket, |entry| found.push(u32::from_be_bytes(*entry))).unwrap();
            let wanted = (0..5 * BUFFERED as u32).filter(|number| *number as usize % 3 == bucket);
            assert_eq!(found, wanted.collect::<Vec<_>>());
        }
    }
}
