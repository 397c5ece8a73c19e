//! Commands that were decided twice, found in bounded memory: identifiers are sorted in runs on disk.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};

use crate::fault::{unavailable, Result};

const RUN: usize = 1 << 20;
const SIZE: usize = 24;

type Entry = ([u8; 16], u64);

/// The identifiers of all commands, with the position of the first message of each decision.
pub struct Commands {
    recent: Vec<Entry>,
    runs: Vec<File>,
    run: usize,
}

impl Commands {
    pub fn new() -> Commands {
        Commands { recent: Vec::new(), runs: Vec::new(), run: RUN }
    }

    pub fn add(&mut self, command: [u8; 16], position: u64) -> Result<()> {
        self.recent.push((command, position));
        if self.recent.len() == self.run {
            let run = self.spill().map_err(|error| {
                unavailable(format!(
                    "no room for sorting in {}: {error}; name another folder with TMPDIR",
                    std::env::temp_dir().display()
                ))
            })?;
            self.runs.push(run);
            self.recent.clear();
        }
        Ok(())
    }

    fn spill(&mut self) -> std::io::Result<File> {
        self.recent.sort_unstable();
        let mut out = BufWriter::new(temporary_file()?);
        for (command, position) in &self.recent {
            out.write_all(command)?;
            out.write_all(&position.to_be_bytes())?;
        }
        let mut file = out.into_inner()?;
        file.rewind()?;
        Ok(file)
    }

    /// Position of the first decision of a command that was decided before.
    pub fn first_repeat(mut self) -> Result<Option<u64>> {
        self.recent.sort_unstable();
        let mut runs: Vec<Box<dyn Iterator<Item = Entry>>> =
            vec![Box::new(self.recent.into_iter())];
        for run in self.runs {
            runs.push(Box::new(entries(BufReader::with_capacity(1 << 16, run))));
        }
        let mut heads: BinaryHeap<Reverse<(Entry, usize)>> = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            heads.extend(run.next().map(|entry| Reverse((entry, number))));
        }
        let (mut before, mut found): (Option<Entry>, Option<u64>) = (None, None);
        while let Some(Reverse((entry, number))) = heads.pop() {
            if before.is_some_and(|before| before.0 == entry.0) {
                found = Some(found.map_or(entry.1, |first| first.min(entry.1)));
            }
            before = Some(entry);
            heads.extend(runs[number].next().map(|entry| Reverse((entry, number))));
        }
        Ok(found)
    }
}

fn entries(mut file: impl Read) -> impl Iterator<Item = Entry> {
    std::iter::from_fn(move || {
        let mut bytes = [0; SIZE];
        file.read_exact(&mut bytes).ok()?;
        let command = *bytes.first_chunk()?;
        let position = u64::from_be_bytes(*bytes.last_chunk()?);
        Some((command, position))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(numbers: &[u8]) -> Commands {
        let mut commands = Commands::new();
        commands.run = 3;
        for (position, number) in numbers.iter().enumerate() {
            commands.add([*number; 16], position as u64).unwrap();
        }
        commands
    }

    #[test]
    fn the_first_repeat_is_found_across_runs() {
        assert_eq!(commands(&[9, 8, 7, 6, 5, 4, 3, 2, 1]).first_repeat().unwrap(), None);
        assert_eq!(commands(&[9, 8, 7, 6, 5, 8, 3, 9]).first_repeat().unwrap(), Some(5));
        assert_eq!(commands(&[1, 1, 1]).first_repeat().unwrap(), Some(1));
        assert_eq!(commands(&[]).first_repeat().unwrap(), None);
    }
}
