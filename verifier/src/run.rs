//! Reads a chain block by block, judges blocks side by side, and joins them in their order.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::chain::{Chain, Found, Statement};
use crate::fault::{Fault, Result};
use crate::index_keys::IndexKeys;
use crate::message::{Judge, Judged};
use crate::schema::Book;

/// Messages that are judged at once.
pub const BLOCK: u64 = 1024;

/// Blocks that may wait for the one that has to come before them.
const AHEAD: u64 = 16;

/// Neighbouring messages as a source gives them.
#[derive(Default)]
pub struct Block {
    pub number: u64,
    pub first: u64,
    pub bytes: Vec<u8>,
    /// Where each message ends in the bytes.
    pub ends: Vec<usize>,
    /// Why the source gives nothing behind them, if it should.
    pub fault: Option<Fault>,
}

impl Block {
    pub fn begin(&mut self, number: u64, first: u64) {
        self.number = number;
        self.first = first;
        self.bytes.clear();
        self.ends.clear();
        self.fault = None;
    }

    pub fn add(&mut self, message: &[u8]) {
        self.bytes.extend_from_slice(message);
        self.ends.push(self.bytes.len());
    }

    fn messages(&self) -> impl Iterator<Item = &[u8]> {
        let mut begin = 0;
        self.ends.iter().map(move |end| {
            let message = &self.bytes[begin..*end];
            begin = *end;
            message
        })
    }
}

/// Gives the blocks of a chain to several readers; each block goes to one of them.
pub trait Source: Sync {
    fn reader(&self) -> Result<Box<dyn BlockReader + '_>>;
    /// Number of messages, if it is known before they are read.
    fn size(&self) -> Option<u64>;
}

pub trait BlockReader {
    /// Read the next block that no other reader has; false at the end.
    fn read(&mut self, block: &mut Block) -> Result<bool>;
}

struct Joined {
    chain: Option<Chain>,
    book: Arc<Book>,
    waiting: BTreeMap<u64, Judged>,
    next: u64,
    fault: Option<Fault>,
    progress: Progress,
}

struct Shared {
    joined: Mutex<Joined>,
    moved: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Joined> {
        self.joined.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn fail(&self, fault: Fault) {
        self.lock().fault.get_or_insert(fault);
        self.moved.notify_all();
    }

    /// Wait until a block is near enough to the next one to join; `None` after a fault.
    fn book_for(&self, number: u64, ahead: u64) -> Option<Arc<Book>> {
        let mut joined = self.lock();
        while joined.fault.is_none() && number >= joined.next + ahead {
            joined = self.moved.wait(joined).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
        joined.fault.is_none().then(|| joined.book.clone())
    }

    /// Join a block and all that waited for it, unless another thread is at it.
    fn join(&self, number: u64, judged: Judged) {
        let mut joined = self.lock();
        joined.waiting.insert(number, judged);
        while joined.fault.is_none() && joined.chain.is_some() {
            let next = joined.next;
            let Some(judged) = joined.waiting.remove(&next) else { break };
            let Some(mut chain) = joined.chain.take() else { break };
            drop(joined);
            let result = chain.take(judged);
            joined = self.lock();
            joined.next += 1;
            if !Arc::ptr_eq(&joined.book, &chain.book) {
                joined.book = chain.book.clone();
            }
            joined.progress.show(chain.size());
            joined.chain = Some(chain);
            if let Err(fault) = result {
                joined.fault.get_or_insert(fault);
            }
            self.moved.notify_all();
        }
    }
}

/// Verify all that a source gives.
pub fn verify(
    source: &dyn Source, chain: Chain, jobs: usize, reads_facts: bool,
) -> Result<(Found, Vec<Statement>)> {
    let index = chain.index();
    let shared = Shared {
        joined: Mutex::new(Joined {
            book: chain.book.clone(),
            chain: Some(chain),
            waiting: BTreeMap::new(),
            next: 0,
            fault: None,
            progress: Progress::new(source.size()),
        }),
        moved: Condvar::new(),
    };
    let ahead = AHEAD * jobs as u64;
    let work = || {
        if let Err(fault) = judge_blocks(source, &shared, ahead, reads_facts, index.as_ref()) {
            shared.fail(fault);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(work);
        }
        work();
    });
    let joined = shared.joined.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    match (joined.fault, joined.chain) {
        (Some(fault), _) => Err(fault),
        (None, Some(chain)) => chain.finish(jobs),
        (None, None) => Err(crate::fault::unavailable("a thread ended before its work")),
    }
}

fn judge_blocks(
    source: &dyn Source, shared: &Shared, ahead: u64, reads_facts: bool,
    index: Option<&Arc<IndexKeys>>,
) -> Result<()> {
    let mut reader = source.reader()?;
    let mut block = Block::default();
    while reader.read(&mut block)? {
        let Some(book) = shared.book_for(block.number, ahead) else { break };
        let judge = Judge { book: &book, reads_facts, index: index.map(|keys| &**keys) };
        let mut judged =
            Judged { first: block.first, ends: block.fault.take(), ..Judged::default() };
        judged.records.reserve(block.ends.len());
        for message in block.messages() {
            judge.add(&mut judged, message);
        }
        drop(book);
        shared.join(block.number, judged);
    }
    Ok(())
}

/// Says on the error stream how far a long run is.
struct Progress {
    size: Option<u64>,
    next: Instant,
}

const PROGRESS: Duration = Duration::from_secs(2);

impl Progress {
    fn new(size: Option<u64>) -> Progress {
        Progress { size, next: Instant::now() + PROGRESS }
    }

    fn show(&mut self, done: u64) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + PROGRESS;
        match self.size {
            Some(size) if size > 0 => eprintln!("verifying: {} %", done * 100 / size),
            _ => eprintln!("verifying: {done} messages"),
        }
    }
}
