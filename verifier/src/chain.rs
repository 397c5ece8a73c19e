//! The rules of a chain, in the order of its messages; see "Rules" in docs/format.md.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use crate::fault::{at, input, Fault, Result};
use crate::hash::{hex, Hash, ZERO};
use crate::index_keys::{IndexKeys, Sums};
use crate::merkle::Frontier;
use crate::message::{check, decode, role_of, schema_of, Judged, Record, Role, Wrong};
use crate::note::{is_chain_name, kind_of, Checkpoint, Key, OF_LOGS};
use crate::repeats::Commands;
use crate::schema::{Book, Facts, Schema};
use crate::source_seal::Sources;
use crate::tag_map::TagMap;

/// A checkpoint is recorded less than so many messages behind the last one that it covers.
const WINDOW: u64 = 65_536;

/// Hashes of different bytes differ in 128 bits on average; fewer than this are a slip in one.
const SLIP_BITS: u32 = 64;

/// What a reader knows from elsewhere.
#[derive(Default, Clone)]
pub struct Trust {
    /// Public keys; if there are any, only their checkpoints count as cover.
    pub keys: Vec<Key>,
    /// A checkpoint that was remembered.
    pub since: Option<Checkpoint>,
    pub reads_facts: bool,
    /// Keys of an index whose sum is computed too.
    pub index: Option<Arc<IndexKeys>>,
}

/// What a witness or an authority said of a checkpoint, as the chain recorded it.
pub struct Statement {
    pub position: u64,
    pub recorded_at: i64,
    pub schema: Arc<Schema>,
    pub values: Vec<crate::avro::Value>,
    pub role: Role,
}

/// What was found of a chain without a fault.
#[derive(Default)]
pub struct Found {
    pub chain: String,
    pub size: u64,
    pub head: Hash,
    pub root: Hash,
    pub decisions: u64,
    pub checkpoints: u64,
    pub covered: u64,
    pub first_recorded_at: i64,
    pub last_recorded_at: i64,
    /// Every key that the chain added.
    pub keys: Vec<Key>,
    /// Schemas that this program does not know, and how many messages use them.
    pub unknown: Vec<(String, i32, u64)>,
    /// What an index must hold, if that was asked.
    pub index: Sums,
}

struct Signer {
    key: Key,
    is_in_force: bool,
}

#[derive(Default)]
struct Decision {
    index: i64,
    size: i64,
    command: [u8; 16],
    digest: [u8; 16],
}

impl Decision {
    fn missing(&self) -> i64 {
        self.size - self.index - 1
    }
}

/// Two neighbours that do not fit; what comes behind says which of them was altered.
struct Broken {
    position: u64,
    hash: Hash,
    previous: Hash,
}

/// A root of the tag map as a checkpoint or note names it, and where a false one is reported.
struct NamedMap {
    whose: String,
    position: u64,
    size: u64,
    root: Hash,
}

/// A chain as far as it was verified.
pub struct Chain {
    trust: Trust,
    found: Found,
    pub book: Arc<Book>,
    decision: Decision,
    signers: HashMap<String, Signer>,
    sources: Sources,
    tree: Frontier,
    map: TagMap,
    /// Messages that the tree and the map do not hold yet: a checkpoint may cover fewer.
    waiting: VecDeque<(Hash, Hash, u32)>,
    waiting_tags: VecDeque<Hash>,
    covered: u64,
    commands: Commands,
    counts: BTreeMap<(String, i32), u64>,
    broken: Option<Broken>,
    /// Roots of the map that are compared when all messages have come.
    named_maps: Vec<NamedMap>,
    pub statements: Vec<Statement>,
}

impl Chain {
    pub fn new(trust: Trust) -> Chain {
        Chain {
            trust,
            found: Found::default(),
            book: Arc::new(Book::new()),
            decision: Decision { index: 0, size: 1, ..Decision::default() },
            signers: HashMap::new(),
            sources: Sources::default(),
            tree: Frontier::default(),
            map: TagMap::new(),
            waiting: VecDeque::new(),
            waiting_tags: VecDeque::new(),
            covered: 0,
            commands: Commands::new(),
            counts: BTreeMap::new(),
            broken: None,
            named_maps: Vec::new(),
            statements: Vec::new(),
        }
    }

    pub fn index(&self) -> Option<Arc<IndexKeys>> {
        self.trust.index.clone()
    }

    pub fn size(&self) -> u64 {
        self.found.size
    }

    /// Go on with the next messages, each of which was judged by itself.
    pub fn take(&mut self, judged: Judged) -> Result<()> {
        let mut bodies = judged.bodies.iter().peekable();
        let mut wrong = judged.wrong.iter().peekable();
        let mut counts = vec![0u64; judged.schemas.len()];
        let mut tags = &judged.tags[..];
        for (number, record) in judged.records.iter().enumerate() {
            if let Some(broken) = self.broken.take() {
                return Err(self.which_was_altered(&broken, Some(&record.previous)));
            }
            let body = bodies.next_if(|(place, _)| *place == number).map(|(_, body)| &body[..]);
            let wrong = wrong.next_if(|(place, _)| *place == number).map(|(_, wrong)| wrong);
            let (mine, others) = tags.split_at(record.tags as usize);
            tags = others;
            self.step(record, body, wrong, mine, &judged, &mut counts)?;
        }
        for (schema, count) in judged.schemas.iter().zip(counts) {
            self.count(schema, count);
        }
        self.found.index.add(judged.index);
        if let Some(fault) = judged.ends {
            return Err(fault);
        }
        Ok(())
    }

    fn step(
        &mut self, record: &Record, body: Option<&[u8]>, wrong: Option<&Wrong>, tags: &[Hash],
        judged: &Judged, counts: &mut [u64],
    ) -> Result<()> {
        let position = self.found.size;
        if let Some(Wrong::Place(text)) = wrong {
            return Err(at(position, text.clone()));
        }
        if record.previous != self.found.head {
            if position == 0 {
                let text = "message 0 was altered: its previous hash is not all zeros";
                return Err(at(0, text));
            }
            let (hash, previous) = (record.hash, record.previous);
            self.broken = Some(Broken { position, hash, previous });
            return Ok(());
        }
        if let Some(Wrong::Other(text)) = wrong {
            return Err(at(position, text.clone()));
        }
        let mut late = Vec::new();
        let (role, tags, schema) = if record.role == Role::Undecided {
            let body = body.unwrap_or_default();
            let schema = schema_of(&self.book, body).cloned().ok_or_else(|| {
                at(
                    position,
                    format!(
                    "message {position} was altered, or its schema {} was not published before it",
                    hex(body.get(2..10).unwrap_or_default())
                ),
                )
            })?;
            check_numbers(position, record, &self.decision, self.found.last_recorded_at)?;
            let role = role_of(&schema);
            if self.trust.reads_facts || role != Role::Plain {
                check(&schema, body, &mut late).map_err(|what| {
                    at(position, format!("message {position} was altered: {what}"))
                })?;
            }
            if let Some(keys) = &self.trust.index {
                keys.add(&mut self.found.index, position, record, &schema, body).map_err(
                    |what| at(position, format!("message {position} was altered: {what}")),
                )?;
            }
            self.count(&schema, 1);
            (role, &late[..], Some(schema))
        } else {
            check_numbers(position, record, &self.decision, self.found.last_recorded_at)?;
            counts[record.schema as usize] += 1;
            let schema = (record.role != Role::Plain)
                .then(|| judged.schemas[record.schema as usize].clone());
            (record.role, tags, schema)
        };
        if position == 0 && role != Role::Opens {
            return Err(at(0, "message 0 is not ChainOpened"));
        }
        self.enter(record, tags)?;
        if role != Role::Plain {
            if let (Some(schema), Some(body)) = (schema, body) {
                self.listen(position, record, role, &schema, body)?;
            }
        }
        self.compare_remembered()
    }

    /// Take in a message that fits.
    fn enter(&mut self, record: &Record, tags: &[Hash]) -> Result<()> {
        let position = self.found.size;
        if record.index == 0 {
            self.found.decisions += 1;
            self.commands.add(record.command, position)?;
        }
        self.decision = Decision {
            index: record.index,
            size: record.size,
            command: record.command,
            digest: record.digest,
        };
        if position == 0 {
            self.found.first_recorded_at = record.recorded_at;
        }
        self.found.last_recorded_at = record.recorded_at;
        self.found.head = record.hash;
        self.found.size = position + 1;
        let entry = match (tags, record.tags) {
            ([], _) => ZERO,
            (_, 0) => crate::hash::entry(position, &record.hash),
            _ => record.entry,
        };
        self.waiting.push_back((record.hash, entry, tags.len() as u32));
        self.waiting_tags.extend(tags);
        if self.waiting.len() as u64 > WINDOW {
            self.settle(self.tree.size + 1)?;
        }
        Ok(())
    }

    /// Let tree and map hold the first messages.
    fn settle(&mut self, size: u64) -> Result<()> {
        while self.tree.size < size {
            let Some((hash, entry, tags)) = self.waiting.pop_front() else { break };
            let position = self.tree.size;
            self.tree.add(hash);
            for key in self.waiting_tags.drain(..tags as usize) {
                self.map.add(&key, position, &entry)?;
            }
            let since = self.trust.since.as_ref();
            if let Some((note, root)) =
                since.and_then(|note| note.map_root.map(|root| (note, root)))
            {
                if note.size == self.tree.size && self.trust.reads_facts {
                    let text = format!("the note of {} messages", note.size);
                    self.compare_map(&text, note.size - 1, &root);
                }
            }
        }
        Ok(())
    }

    fn compare_map(&mut self, whose: &str, position: u64, named: &Hash) {
        let size = self.tree.size;
        self.map.ask(size);
        self.named_maps.push(NamedMap { whose: whose.to_string(), position, size, root: *named });
    }

    fn false_map(&self, jobs: usize) -> Result<Option<Fault>> {
        let roots = self.map.roots(jobs)?;
        let mut named = self.named_maps.iter().zip(roots);
        Ok(named.find(|(named, root)| named.root != *root).map(|(named, _)| {
            let NamedMap { whose, position, size, .. } = named;
            at(*position, format!("{whose} names another tag map of {size} messages"))
        }))
    }

    /// Root of the first messages, of which the tree may hold fewer.
    fn root_of_first(&self, size: u64) -> Hash {
        let mut tree = self.tree.clone();
        for (hash, _, _) in self.waiting.iter().take((size - tree.size) as usize) {
            tree.add(*hash);
        }
        tree.root()
    }

    fn compare_remembered(&mut self) -> Result<()> {
        let Some(since) = self.trust.since.as_ref().filter(|note| note.size == self.found.size)
        else {
            return Ok(());
        };
        if self.root_of_first(since.size) == since.root {
            return Ok(());
        }
        let text =
            format!("the root of the first {} messages is not the one remembered", since.size);
        Err(at(since.size - 1, format!("{text}: history up to it was replaced")))
    }

    fn which_was_altered(&self, broken: &Broken, vouched: Option<&Hash>) -> Fault {
        let position = broken.position;
        let differing: u32 = broken
            .previous
            .iter()
            .zip(self.found.head)
            .map(|(named, hash)| (named ^ hash).count_ones())
            .sum();
        let is_later = vouched.map_or(differing < SLIP_BITS, |named| *named != broken.hash);
        let is_remembered = self.trust.since.as_ref().is_some_and(|note| note.size == position);
        if is_later || is_remembered {
            let before = position - 1;
            let text = format!(
                "message {position} was altered: it does not name the hash of message {before}"
            );
            return at(position, text);
        }
        let before = position - 1;
        let text =
            format!("message {before} was altered: it is not what message {position} says it was");
        at(before, text)
    }

    fn count(&mut self, schema: &Schema, count: u64) {
        if !schema.is_known && count > 0 {
            *self.counts.entry((schema.name.clone(), schema.version)).or_default() += count;
        }
    }

    /// Read what the chain says of itself.
    fn listen(
        &mut self, position: u64, record: &Record, role: Role, schema: &Arc<Schema>, body: &[u8],
    ) -> Result<()> {
        let (_, values) = decode(schema, body)
            .map_err(|what| at(position, format!("message {position} was altered: {what}")))?;
        let facts = Facts { schema, values: &values };
        match role {
            Role::Opens => self.open(position, &facts),
            Role::Publishes => self.publish(position, &facts),
            Role::AddsKey => self.add_key(position, &facts),
            Role::RevokesKey => self.revoke_key(position, &facts),
            Role::Signs => {
                self.check_checkpoint(position, &facts)?;
                self.state(position, record, role, schema, values);
                Ok(())
            }
            Role::Cosigns | Role::Stamps | Role::Seals => {
                self.state(position, record, role, schema, values);
                Ok(())
            }
            Role::Registers if self.sources.register(&facts) => Ok(()),
            Role::Registers => {
                let text = "registers a source with something that is no key of its certificate";
                Err(at(position, format!("message {position} {text}")))
            }
            Role::SealsCommands if self.sources.is_sealed(&self.found.chain, &facts) => Ok(()),
            Role::SealsCommands => {
                let text = format!("the seal of a source in message {position}");
                Err(at(position, format!("{text} bears a false signature")))
            }
            Role::Plain | Role::Undecided => Ok(()),
        }
    }

    fn state(
        &mut self, position: u64, record: &Record, role: Role, schema: &Arc<Schema>,
        values: Vec<crate::avro::Value>,
    ) {
        let (recorded_at, schema) = (record.recorded_at, schema.clone());
        self.statements.push(Statement { position, recorded_at, schema, values, role });
    }

    fn open(&mut self, position: u64, facts: &Facts) -> Result<()> {
        if position > 0 {
            return Err(at(position, format!("message {position} opens a chain within a chain")));
        }
        let (version, algorithm) = (facts.number("format_version"), facts.text("hash_algorithm"));
        if (version, algorithm) != (1, "RFC6962-SHA256") {
            let text = format!("the chain follows format {version}, {algorithm:?}");
            return Err(at(0, format!("{text}: verify it with a program that knows it")));
        }
        let name = facts.text("chain");
        if !is_chain_name(name) {
            return Err(at(0, "message 0 gives the chain a name that is none"));
        }
        if let Some(since) = self.trust.since.as_ref().filter(|note| note.origin != name) {
            return Err(input(format!(
                "the note is of the chain {}, and this is {name}",
                since.origin
            )));
        }
        self.found.chain = name.to_string();
        Ok(())
    }

    fn publish(&mut self, position: u64, facts: &Facts) -> Result<()> {
        let (name, version) = (facts.text("name"), facts.number("version"));
        Arc::make_mut(&mut self.book)
            .publish(name, version, facts.text("fingerprint"), facts.text("schema"))
            .map_err(|what| {
                at(
                    position,
                    format!(
                    "message {position} publishes a schema {name} v{version} that can't be: {what}"
                ),
                )
            })?;
        for schema in self.book.versions(name) {
            if !schema.is_known {
                self.counts.entry((name.to_string(), schema.version)).or_default();
            }
        }
        Ok(())
    }

    fn add_key(&mut self, position: u64, facts: &Facts) -> Result<()> {
        let id = facts.text("key_id");
        let key = kind_of(facts.algorithm(), &OF_LOGS)
            .and_then(|kind| Key::new(&self.found.chain, kind, facts.bytes("public_key")))
            .filter(|key| hex(&key.id()) == id)
            .ok_or_else(|| {
                at(position, format!("message {position} adds something that is no key"))
            })?;
        if self.signers.contains_key(id) {
            let text =
                format!("message {position} adds a key {id}, and there was one of that name");
            return Err(at(position, text));
        }
        let trusted = self.trust.keys.iter().rfind(|trusted| trusted.id() == key.id());
        if trusted.is_some_and(|trusted| trusted.public != key.public) {
            let text = format!("message {position} adds a key {id} that is not the one trusted");
            return Err(at(position, text));
        }
        self.found.keys.push(key.clone());
        self.signers.insert(id.to_string(), Signer { key, is_in_force: true });
        Ok(())
    }

    fn revoke_key(&mut self, position: u64, facts: &Facts) -> Result<()> {
        match self.signers.get_mut(facts.text("key_id")).filter(|signer| signer.is_in_force) {
            Some(signer) => {
                signer.is_in_force = false;
                Ok(())
            }
            None => {
                Err(at(position, format!("message {position} revokes a key that is not in force")))
            }
        }
    }

    fn check_checkpoint(&mut self, position: u64, facts: &Facts) -> Result<()> {
        let wrong = |what: String| {
            Err(at(position, format!("the checkpoint in message {position} {what}")))
        };
        let size = u64::try_from(facts.number("size")).unwrap_or(0);
        let first = (position + 1).saturating_sub(WINDOW).max(self.covered).max(1);
        if !(first..=position).contains(&size) {
            let text = format!("covers {size} messages");
            return wrong(format!("{text}: more than there were, too long ago, or before another"));
        }
        self.covered = size;
        self.settle(size)?;
        let root = self.tree.root();
        if facts.bytes("root") != root {
            return wrong(format!("names another root of {size} messages"));
        }
        let Ok(map_root) = Hash::try_from(facts.bytes("map_root")) else {
            return wrong("names no root of the tag map".into());
        };
        let signer = self.signers.get(facts.text("key_id")).filter(|signer| signer.is_in_force);
        let Some(signer) = signer else {
            return wrong("is by a key that is not in force".into());
        };
        let origin = self.found.chain.clone();
        let checkpoint = Checkpoint { origin, size, root, map_root: Some(map_root) };
        if !signer.key.verifies(checkpoint.text().as_bytes(), facts.bytes("signature")) {
            return wrong("bears a false signature".into());
        }
        let id = signer.key.id();
        if self.trust.keys.is_empty() || self.trust.keys.iter().any(|key| key.id() == id) {
            self.found.covered = size;
        }
        self.found.checkpoints += 1;
        if self.trust.reads_facts {
            self.compare_map(&format!("the checkpoint in message {position}"), position, &map_root);
        }
        Ok(())
    }

    /// Judge what only the end of a chain shows.
    pub fn finish(mut self, jobs: usize) -> Result<(Found, Vec<Statement>)> {
        if let Some(broken) = self.broken.take() {
            return Err(self.which_was_altered(&broken, None));
        }
        let size = self.found.size;
        if size == 0 {
            return Err(at(0, "the log holds no message; a chain has at least ChainOpened"));
        }
        if self.decision.missing() > 0 {
            let first = size - self.decision.index as u64 - 1;
            let missing = self.decision.missing();
            let text = format!("the decision at position {first} is torn: {missing} messages lack");
            return Err(at(first, text));
        }
        if let Some(since) = self.trust.since.as_ref().filter(|note| note.size > size) {
            let text = format!("the log ends at {size}, and a log of {} is remembered", since.size);
            return Err(at(size, format!("{text}: messages were cut off")));
        }
        if let Some(position) = self.commands.first_repeat()? {
            let text = format!("the command of message {position} was decided before");
            return Err(at(position, text));
        }
        self.settle(size)?;
        if let Some(fault) = self.false_map(jobs)? {
            return Err(fault);
        }
        self.found.root = self.tree.root();
        self.found.unknown =
            self.counts.into_iter().map(|((name, version), n)| (name, version, n)).collect();
        Ok((self.found, self.statements))
    }
}

fn check_numbers(
    position: u64, record: &Record, last: &Decision, last_recorded_at: i64,
) -> Result<()> {
    if last.missing() > 0 {
        let goes_on = record.index == last.index + 1
            && record.size == last.size
            && record.command == last.command
            && record.digest == last.digest;
        if !goes_on {
            let text = format!("message {position} does not continue the decision before it");
            return Err(at(position, text));
        }
    } else if record.index != 0 || record.size < 1 {
        return Err(at(position, format!("message {position} does not begin a decision")));
    }
    if position > 0 && record.recorded_at < last_recorded_at {
        let text = format!("message {position} was recorded before the one before it");
        return Err(at(position, text));
    }
    Ok(())
}
