//! A log in tiles (C2SP tlog-tiles): messages in bundles, each tile compared with what they give.

use std::path::PathBuf;
use std::sync::Mutex;

use crate::fault::{at, input, unavailable, Result};
use crate::file;
use crate::hash::{leaf, Hash};
use crate::merkle::Frontier;
use crate::message::BYTES_MAX;
use crate::note::Note;
use crate::run::{Block, BlockReader, Source, BLOCK};
use crate::web::Web;

const WIDTH: u64 = 256;
const TILE_BYTES: usize = 256 * 32;
const BUNDLE_BYTES_MAX: usize = 256 * (2 + BYTES_MAX);
const NOTE_BYTES_MAX: usize = 4 * 65_536;

enum Files {
    Folder(PathBuf),
    Web(Web),
}

impl Files {
    fn get(&self, path: &str, bytes_max: usize) -> Result<Option<Vec<u8>>> {
        use std::io::Read;
        let folder = match self {
            Files::Web(web) => return web.get(path, bytes_max),
            Files::Folder(folder) => folder,
        };
        let path = folder.join(path);
        let unreadable = |error: std::io::Error| {
            unavailable(format!("{} can't be read: {error}", path.display()))
        };
        let file = match file::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(error)),
        };
        let mut content = Vec::new();
        file.take(bytes_max as u64 + 1).read_to_end(&mut content).map_err(unreadable)?;
        Ok(Some(content))
    }
}

pub fn is_web(place: &str) -> bool {
    let begins = |scheme: &str| {
        place.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    };
    begins("http:") || begins("https:")
}

/// A published log.
pub struct TiledLog {
    place: String,
    pub note: Note,
    state: Mutex<State>,
}

struct State {
    files: Files,
    next: u64,
    blocks: u64,
    is_at_end: bool,
    /// Hashes of each level that are in no full tile yet, and the number of full ones.
    levels: Vec<(u64, Vec<Hash>)>,
}

impl TiledLog {
    pub fn open(place: &str) -> Result<TiledLog> {
        let files =
            if is_web(place) { Files::Web(Web::new(place)?) } else { Files::Folder(place.into()) };
        let note = files
            .get("checkpoint", NOTE_BYTES_MAX)?
            .ok_or_else(|| input(format!("{place} holds no checkpoint: it is no log in tiles")))?;
        let note = String::from_utf8(note)
            .map_err(|_| "it is not UTF-8".to_string())
            .and_then(|note| Note::parse(&note))
            .map_err(|what| input(format!("{place}/checkpoint: {what}")))?;
        let state =
            State { files, next: 0, blocks: 0, is_at_end: false, levels: vec![(0, Vec::new())] };
        Ok(TiledLog { place: place.to_string(), note, state: Mutex::new(state) })
    }
}

impl Source for TiledLog {
    fn reader(&self) -> Result<Box<dyn BlockReader + '_>> {
        Ok(Box::new(Bundles(self)))
    }

    fn size(&self) -> Option<u64> {
        Some(self.note.checkpoint.size)
    }
}

struct Bundles<'a>(&'a TiledLog);

impl BlockReader for Bundles<'_> {
    fn read(&mut self, block: &mut Block) -> Result<bool> {
        let log = self.0;
        let mut state = log.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if state.is_at_end {
            return Ok(false);
        }
        block.begin(state.blocks, state.next);
        state.blocks += 1;
        let size = log.note.checkpoint.size;
        let mut result = Ok(());
        while result.is_ok() && state.next < size && (block.ends.len() as u64) < BLOCK {
            result = log.bundle(&mut state, size, block);
        }
        if result.is_ok() && state.next == size {
            result = log.compare_edge(&state);
        }
        state.is_at_end = result.is_err() || state.next == size;
        block.fault = result.err();
        Ok(true)
    }
}

impl TiledLog {
    fn bundle(&self, state: &mut State, size: u64, block: &mut Block) -> Result<()> {
        let first = state.next;
        let width = WIDTH.min(size - first);
        let path = format!("tile/entries/{}", path_of(first / WIDTH, width));
        let (bundle, is_full) = self.get(&state.files, &path, BUNDLE_BYTES_MAX, first)?;
        let held = if is_full { WIDTH } else { width };
        let mut rest = &bundle[..];
        for position in first..first + held {
            let cut = || {
                at(
                    position,
                    format!("the bundle of entries from {first} on ends within entry {position}"),
                )
            };
            let (length, behind) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
            let length = usize::from(u16::from_be_bytes(*length));
            if behind.len() < length {
                return Err(cut());
            }
            let (message, behind) = behind.split_at(length);
            rest = behind;
            block.add(message);
            state.levels[0].1.push(leaf(message));
            state.next += 1;
            if state.next == size && is_full {
                break;
            }
        }
        if !rest.is_empty() && !is_full {
            let text =
                format!("the bundle of entries from {first} on goes on behind its {width} entries");
            return Err(at(first + width, text));
        }
        let mut number = 0;
        while state.levels[number].1.len() as u64 == WIDTH {
            if number + 1 == state.levels.len() {
                state.levels.push((0, Vec::new()));
            }
            let (tile, hashes) = &mut state.levels[number];
            let (tile, hashes) = (std::mem::replace(tile, *tile + 1), std::mem::take(hashes));
            let mut tree = Frontier::default();
            hashes.iter().for_each(|hash| tree.add(*hash));
            state.levels[number + 1].1.push(tree.root());
            self.compare(&state.files, number, tile, &hashes)?;
            number += 1;
        }
        Ok(())
    }

    fn compare_edge(&self, state: &State) -> Result<()> {
        for (level, (tile, hashes)) in state.levels.iter().enumerate() {
            if !hashes.is_empty() {
                self.compare(&state.files, level, *tile, hashes)?;
            }
        }
        Ok(())
    }

    fn compare(&self, files: &Files, level: usize, tile: u64, hashes: &[Hash]) -> Result<()> {
        let path = format!("tile/{level}/{}", path_of(tile, hashes.len() as u64));
        let first = (tile * WIDTH) << (8 * level);
        let (found, is_full) = self.get(files, &path, TILE_BYTES, first)?;
        let wanted = hashes.concat();
        let found = if is_full { found.get(..wanted.len()).unwrap_or(&found) } else { &found };
        if found != wanted {
            let text = format!(
                "{}/{path} is not the tile that the messages from {first} on give",
                self.place
            );
            return Err(at(first, text));
        }
        Ok(())
    }

    /// Get a file, or the full one that took the place of a partial one as the log grew.
    fn get(
        &self, files: &Files, path: &str, bytes_max: usize, first: u64,
    ) -> Result<(Vec<u8>, bool)> {
        let mut found = files.get(path, bytes_max)?;
        let full = path.split(".p/").next().unwrap_or(path);
        let is_full = found.is_none() && full != path;
        if is_full {
            found = files.get(full, bytes_max)?;
        }
        match found {
            None => Err(at(first, format!("{} lacks {path}", self.place))),
            Some(content) if content.len() > bytes_max => {
                Err(at(first, format!("{}/{path} is too long", self.place)))
            }
            Some(content) => Ok((content, is_full)),
        }
    }
}

fn path_of(number: u64, width: u64) -> String {
    let mut path = format!("{:03}", number % 1000);
    let mut rest = number / 1000;
    while rest > 0 {
        path = format!("x{:03}/{path}", rest % 1000);
        rest /= 1000;
    }
    if width < WIDTH {
        format!("{path}.p/{width}")
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_tlog_tiles() {
        assert_eq!(path_of(1_234_067, 256), "x001/x234/067");
        assert_eq!(path_of(0, 5), "000.p/5");
    }
}
