//! Policies as C2SP tlog-policy has them: which witnesses have to have cosigned a checkpoint.

use std::collections::{BTreeMap, BTreeSet};

use crate::fault::{place, Result};
use crate::note::{Key, Note, OF_LOGS, OF_WITNESSES};

const BYTES_MAX: usize = 1 << 20;
const NONE: &str = "none";

struct Group {
    name: String,
    needed: usize,
    members: Vec<String>,
}

/// Logs, witnesses and groups by name, and the name that has to have witnessed.
#[derive(Default)]
pub struct Policy {
    pub logs: Vec<Key>,
    /// Witnesses in the order of the policy.
    pub witnesses: Vec<(String, Key)>,
    /// Witnesses with keys of another kind: members of groups, whose cosignatures are ignored.
    unverifiable: BTreeSet<String>,
    groups: Vec<Group>,
    quorum: Option<String>,
}

impl Policy {
    pub fn parse(text: &str) -> std::result::Result<Policy, String> {
        if text.len() > BYTES_MAX {
            return Err("a policy has at most one million characters".into());
        }
        let mut policy = Policy::default();
        for (number, line) in text.split('\n').enumerate() {
            policy
                .read(line)
                .map_err(|what| format!("line {} of the policy: {what}", number + 1))?;
        }
        if policy.quorum.is_none() {
            return Err("the policy has no quorum line: `quorum none` if none is needed".into());
        }
        Ok(policy)
    }

    fn read(&mut self, line: &str) -> std::result::Result<(), String> {
        if line.chars().any(|sign| sign.is_ascii_control() && sign != '\t') {
            return Err("it holds a control character".into());
        }
        let words: Vec<&str> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => Ok(()),
            [first, ..] if first.starts_with('#') => Ok(()),
            ["log", key] | ["log", key, _] => {
                let key = of_kind(key, &OF_LOGS)?;
                if self.logs.iter().any(|log| log.public == key.public) {
                    return Err("this log stands there already, under the same key".into());
                }
                self.logs.push(key);
                Ok(())
            }
            ["witness", name, key] | ["witness", name, key, _] => {
                self.require_new(name)?;
                if Key::is_of_other_kind(key) {
                    self.unverifiable.insert((*name).to_string());
                    return Ok(());
                }
                let key = of_kind(key, &OF_WITNESSES)?;
                if self.witnesses.iter().any(|(_, other)| other.public == key.public) {
                    return Err("this witness stands there already, under the same key".into());
                }
                self.witnesses.push(((*name).to_string(), key));
                Ok(())
            }
            ["group", name, count, members @ ..] if !members.is_empty() => {
                self.add_group(name, count, members)
            }
            ["quorum", name] if self.quorum.is_none() => {
                if *name != NONE {
                    self.require_known(name)?;
                }
                self.quorum = Some((*name).to_string());
                Ok(())
            }
            [word, ..] => Err(format!("it is no line of log, witness, group or quorum: {word:?}")),
        }
    }

    fn add_group(
        &mut self, name: &str, count: &str, members: &[&str],
    ) -> std::result::Result<(), String> {
        self.require_new(name)?;
        let mut taken: BTreeSet<&str> =
            self.groups.iter().flat_map(|group| group.members.iter().map(String::as_str)).collect();
        for member in members {
            self.require_known(member)?;
            if !taken.insert(member) {
                return Err(format!("{member} is a member already, and may be one only once"));
            }
        }
        let is_count = count.starts_with(|sign: char| ('1'..='9').contains(&sign))
            && count.bytes().all(|sign| sign.is_ascii_digit());
        let needed = match count {
            "all" => members.len(),
            "any" => 1,
            _ if is_count => count.parse().unwrap_or(0),
            _ => 0,
        };
        if !(1..=members.len()).contains(&needed) {
            return Err(format!("of {} members, {count:?} can't be asked for", members.len()));
        }
        let members = members.iter().map(|member| (*member).to_string()).collect();
        self.groups.push(Group { name: name.to_string(), needed, members });
        Ok(())
    }

    fn is_known(&self, name: &str) -> bool {
        self.witnesses.iter().any(|(other, _)| other == name)
            || self.unverifiable.contains(name)
            || self.groups.iter().any(|group| group.name == name)
    }

    fn require_new(&self, name: &str) -> std::result::Result<(), String> {
        if name == NONE || self.is_known(name) {
            return Err(format!("the name {name} is taken"));
        }
        Ok(())
    }

    fn require_known(&self, name: &str) -> std::result::Result<(), String> {
        if !self.is_known(name) {
            return Err(format!("{name} is named by no line above"));
        }
        Ok(())
    }

    /// Which witnesses cosigned a note, and when, in seconds; a false cosignature is a fault.
    pub fn cosigned(&self, note: &Note) -> Result<BTreeMap<String, u64>> {
        let mut found = BTreeMap::new();
        for (name, key) in &self.witnesses {
            for moment in note.cosigned_by(key) {
                let size = note.checkpoint.size;
                let seconds = moment.ok_or_else(|| {
                    place(
                        "",
                        format!(
                            "the note of {size} messages bears a false cosignature of {}",
                            key.name
                        ),
                    )
                })?;
                found.insert(name.clone(), seconds);
            }
        }
        Ok(found)
    }

    /// Whether cosignatures of these witnesses are enough.
    pub fn is_met(&self, cosigned: &BTreeMap<String, u64>) -> bool {
        let mut witnessed: BTreeSet<&str> = cosigned.keys().map(String::as_str).collect();
        witnessed.insert(NONE);
        // A group stands behind all that it names.
        for group in &self.groups {
            let count = group.members.iter().filter(|name| witnessed.contains(name.as_str()));
            if count.count() >= group.needed {
                witnessed.insert(&group.name);
            }
        }
        self.quorum.as_deref().is_some_and(|quorum| witnessed.contains(quorum))
    }

    /// Those of these cosignatures that are over the extension lines of the checkpoint.
    pub fn of_extensions(&self, cosigned: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
        let is_over = |name: &str| {
            self.witnesses.iter().any(|(other, key)| other == name && key.covers_extensions())
        };
        let kept = cosigned.iter().filter(|(name, _)| is_over(name));
        kept.map(|(name, seconds)| (name.clone(), *seconds)).collect()
    }

    pub fn missing(&self, cosigned: &BTreeMap<String, u64>) -> String {
        let names: Vec<&str> = self
            .witnesses
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| !cosigned.contains_key(*name))
            .collect();
        names.join(", ")
    }
}

fn of_kind(line: &str, kinds: &[u8]) -> std::result::Result<Key, String> {
    let key = Key::parse(line)?;
    if !kinds.contains(&key.kind) {
        return Err(format!(
            "the key of {} is of kind {:02x}, not {kinds:02x?}",
            key.name, key.kind
        ));
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WITNESS: &str = "witness.example/1+02dc2294+BGa+fjMsekUzMr2dCn99sFX1xe8aBq2mbZizn7aBDEc6";
    const LOG: &str = "casino.example/live+e86c2460+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs";

    #[test]
    fn groups_count_their_members() {
        let text =
            format!("# ours\nlog {LOG}\nwitness w {WITNESS} https://x\ngroup g any w\nquorum g\n");
        let policy = Policy::parse(&text).unwrap();
        assert!(!policy.is_met(&BTreeMap::new()));
        assert!(policy.is_met(&BTreeMap::from([("w".to_string(), 1)])));
        assert_eq!(policy.missing(&BTreeMap::new()), "w");
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        for text in [
            "",
            "quorum w",
            "witness none k\nquorum none",
            "group g 1 w\nquorum none",
            "quorum none\nquorum none",
            "nonsense\nquorum none",
            "quorum none\u{1}",
        ] {
            assert!(Policy::parse(text).is_err(), "{text}");
        }
        let twice = format!("witness w {WITNESS}\nwitness v {WITNESS}\nquorum none");
        assert!(Policy::parse(&twice).is_err());
        assert!(Policy::parse(&format!("log {WITNESS}\nquorum none")).is_err());
        assert!(Policy::parse(&format!("witness w {WITNESS}\ngroup g 2 w\nquorum g")).is_err());
    }
}
