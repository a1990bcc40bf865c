//! The chain of records: what this laptop has taken, and what may come after it.
//!
//! Invariant: what was taken stays: a remote that goes back, forks, repeats, leaves out or starts
//! anew is a fault, and the state stays as it was. A key is used only if the key before it said so.
//! Must not know: bundles, files.

mod fault;

pub use fault::ChainFault;

use super::{
    covers::Covers,
    keys::KeyRing,
    names::{LaptopName, RepositoryId, Sum, Tip},
    record::{FORMAT, Holders, Laptop, Record, Recovery, hour},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format of a `Seen`.
const SEEN_FORMAT: u32 = 1;
/// The longest text of one.
const SEEN_MAX: usize = 256 * 1024;

/// A record in its place, from a pack that was opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// What it says.
    pub record: Record,
    /// Of its line and MAC: what the next record names.
    pub hash: Sum,
    /// The commitment to the key that opened it.
    pub sealed_to: Sum,
}

/// The last that was heard of a laptop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Heard {
    /// Its last push.
    pub sequence: u64,
    /// When, in seconds, to the hour.
    pub time: u64,
}

/// What this laptop has taken from the remote, or put there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Seen {
    format: u32,
    /// Whose chain it is.
    pub repository: RepositoryId,
    /// Of the last record.
    pub epoch: u32,
    /// The commitment to the key of that epoch.
    pub key: Sum,
    /// Of the last record.
    pub sequence: u64,
    /// Of the last record.
    pub hash: Sum,
    /// Where the plain branch is on the remote.
    pub tip: Tip,
    /// The commitment to the key of the next record, if the last one handed over.
    pub next: Option<Sum>,
    /// Who has the keys.
    pub laptops: Vec<Laptop>,
    /// What opens all without a laptop.
    pub recovery: Recovery,
    /// The last push of each of these laptops, as far as it was seen.
    pub heard: BTreeMap<LaptopName, Heard>,
}

/// What this laptop has seen after these records, which are in the order of the remote: either all
/// that are there, or those since the last one taken. `None`: this laptop joins. Nothing new is not
/// a question for this function: without records, the remote lost all.
pub fn accept(seen: Option<&Seen>, links: &[Link]) -> Result<Seen, ChainFault> {
    let (Some(first), Some(last)) = (links.first(), links.last()) else {
        return Err(match seen {
            Some(seen) => ChainFault::WentBack { lost: seen.sequence },
            None => ChainFault::Empty,
        });
    };
    stand_in_order(links)?;
    let repository = seen.map_or(&first.record.repository, |seen| &seen.repository);
    if let Some(other) = links.iter().find(|link| link.record.repository != *repository) {
        return Err(ChainFault::OtherRepository { at: other.record.sequence });
    }
    let (mut now, rest) = match seen {
        None => (Seen::join(first)?, &links[1..]),
        Some(seen) if last.record.sequence < seen.sequence => {
            return Err(ChainFault::WentBack { lost: seen.sequence - last.record.sequence });
        }
        Some(seen) => seen.meet(first, links)?,
    };
    for link in rest {
        now = now.then(link)?;
    }
    Ok(now)
}

fn stand_in_order(links: &[Link]) -> Result<(), ChainFault> {
    for pair in links.windows(2) {
        let (before, at) = (pair[0].record.sequence, pair[1].record.sequence);
        if at == before {
            return Err(ChainFault::Repeated { at });
        }
        if at < before {
            return Err(ChainFault::OutOfOrder { at });
        }
        if at > before + 1 {
            return Err(ChainFault::Gap { after: before });
        }
    }
    Ok(())
}

impl Seen {
    /// The state after a first join's first record.
    fn join(first: &Link) -> Result<Seen, ChainFault> {
        let at = first.record.sequence;
        match &first.record.covers {
            None if at > 1 => return Err(ChainFault::LateStart { at }),
            Some(covers) => follow_handovers(covers, first)?,
            None => {}
        }
        Ok(Seen::after(first, None))
    }

    /// Where these records meet what this laptop has seen, and those that are new.
    fn meet<'a>(&self, first: &Link, links: &'a [Link]) -> Result<(Seen, &'a [Link]), ChainFault> {
        let at = first.record.sequence;
        if at > self.sequence {
            if let Some(covers) = &first.record.covers {
                self.stands_within(covers, first)?;
                return Ok((Seen::after(first, Some(self)), &links[1..]));
            }
            if at > self.sequence + 1 {
                return Err(ChainFault::Gap { after: self.sequence });
            }
            if first.record.before.as_ref() != Some(&self.hash) {
                return Err(ChainFault::Forked { at: self.sequence });
            }
            return Ok((self.clone(), links));
        }
        let is_own = |link: &Link| link.record.sequence == self.sequence && link.hash == self.hash;
        let own = links.iter().position(is_own).ok_or(ChainFault::Forked { at: self.sequence })?;
        Ok((self.clone(), &links[own + 1..]))
    }

    /// Whether a repack includes all that this laptop has seen.
    fn stands_within(&self, covers: &Covers, repack: &Link) -> Result<(), ChainFault> {
        let record = &repack.record;
        let at = record.sequence;
        if !covers.has(self.sequence, &self.hash) {
            return Err(ChainFault::NotCovered { at, missing: self.sequence });
        }
        follow_handovers(covers, repack)?;
        let is_over = self.next.is_some() && record.epoch == self.epoch;
        if record.epoch < self.epoch || is_over {
            return Err(ChainFault::OldKey { at });
        }
        // Nothing handed over to the first key; what follows it is proved with it.
        let key = match self.epoch {
            1 if record.epoch > 1 => None,
            1 => Some(&repack.sealed_to),
            epoch => covers.commitment(epoch),
        };
        let is_own_key = key.is_none_or(|key| *key == self.key);
        let next = self.next.as_ref();
        let is_next = next.is_none_or(|next| covers.commitment(self.epoch + 1) == Some(next));
        if !is_own_key || !is_next {
            return Err(ChainFault::UnknownKey { at });
        }
        if at == self.sequence + 1 && record.new != self.tip {
            return Err(ChainFault::TipJumped { at });
        }
        Ok(())
    }

    /// After one more record.
    fn then(&self, link: &Link) -> Result<Seen, ChainFault> {
        let record = &link.record;
        let at = record.sequence;
        if record.covers.is_some() {
            return Err(ChainFault::MisplacedRepack { at });
        }
        if record.before.as_ref() != Some(&self.hash) {
            return Err(ChainFault::Broken { at });
        }
        if record.epoch < self.epoch || (self.next.is_some() && record.epoch == self.epoch) {
            return Err(ChainFault::OldKey { at });
        }
        let (epoch, key) = match &self.next {
            Some(next) => (self.epoch + 1, next),
            None => (self.epoch, &self.key),
        };
        if record.epoch != epoch || link.sealed_to != *key {
            return Err(ChainFault::UnknownKey { at });
        }
        if record.old.as_ref() != Some(&self.tip) {
            return Err(ChainFault::TipJumped { at });
        }
        Ok(Seen::after(link, Some(self)))
    }

    /// Who has the keys is what the record says, else as it was `before`.
    fn after(link: &Link, before: Option<&Seen>) -> Seen {
        let record = &link.record;
        let said = record.holders().or_else(|| before.map(Seen::holders));
        let Holders { laptops, recovery } =
            said.expect("because a record without one before it names all who have the keys");
        let now = Heard { sequence: record.sequence, time: record.time };
        let mut heard = before.map(|before| before.heard.clone()).unwrap_or_default();
        heard.insert(record.laptop.clone(), now);
        heard.retain(|name, _| laptops.iter().any(|laptop| laptop.name == *name));
        Seen {
            format: SEEN_FORMAT,
            repository: record.repository.clone(),
            epoch: record.epoch,
            key: link.sealed_to.clone(),
            sequence: record.sequence,
            hash: link.hash.clone(),
            tip: record.new.clone(),
            next: record.next.clone(),
            laptops,
            recovery,
            heard,
        }
    }

    /// Who has the keys.
    pub fn holders(&self) -> Holders {
        Holders { laptops: self.laptops.clone(), recovery: self.recovery.clone() }
    }

    /// The record that follows, which changes nothing yet: its `new`, holders, `next` or `covers`
    /// are set before it is sealed.
    pub fn record(&self, laptop: LaptopName, seconds: u64) -> Record {
        Record {
            format: FORMAT,
            repository: self.repository.clone(),
            epoch: self.epoch + u32::from(self.next.is_some()),
            sequence: self.sequence + 1,
            before: Some(self.hash.clone()),
            laptop,
            time: hour(seconds),
            old: Some(self.tip.clone()),
            new: self.tip.clone(),
            laptops: None,
            recovery: None,
            next: None,
            covers: None,
        }
    }

    /// The record of a repack that replaces these records: all on the remote, the last of which is
    /// the last one taken. `None` if they are not those, or a key is missing.
    pub fn repack(
        &self,
        links: &[Link],
        ring: &KeyRing,
        laptop: LaptopName,
        seconds: u64,
    ) -> Option<Record> {
        let first = &links.first()?.record;
        if links.last()?.hash != self.hash {
            return None;
        }
        let hashes: Vec<Sum> = links.iter().map(|link| link.hash.clone()).collect();
        let mut record = self.record(laptop, seconds).naming(self.holders());
        let earlier = first.covers.as_ref();
        let covers = Covers::new(earlier, first.sequence, &hashes, ring, record.epoch)?;
        record.covers = Some(covers);
        Some(record)
    }

    /// For the file that keeps it.
    pub fn to_text(&self) -> String {
        let text = serde_json::to_string(self);
        text.expect("because all its parts are texts and numbers") + "\n"
    }

    /// Reads that file; `None` if it is none, or a later co's.
    pub fn parse(text: &str) -> Option<Seen> {
        let is_short = text.len() <= SEEN_MAX;
        let seen: Seen = is_short.then(|| serde_json::from_str(text).ok())??;
        (seen.format == SEEN_FORMAT).then_some(seen)
    }
}

/// Whether the key that a repack is sealed with is the one that its changes of keys lead to.
fn follow_handovers(covers: &Covers, repack: &Link) -> Result<(), ChainFault> {
    let record = &repack.record;
    let is_first = record.epoch == 1;
    if is_first || covers.commitment(record.epoch) == Some(&repack.sealed_to) {
        return Ok(());
    }
    Err(ChainFault::UnknownKey { at: record.sequence })
}

#[cfg(test)]
mod tests;
