//! A record: the line before each bundle, which says what it is and what came before it.
//!
//! Invariant: a record has one spelling (JSON with its fields in this order, no spaces), so that a
//! line and its hash stand for each other; all that a line can hold is bounded before it is read.

use super::{
    covers::Covers,
    keys::{EPOCHS_MAX, KeyRing},
    names::{KeyName, LaptopName, Recipient, RepositoryId, Sum, Tip},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The format that this version writes.
pub const FORMAT: u32 = 2;
/// The one before, in which every record says who has the keys.
const FORMAT_OF_ALL: u32 = 1;
/// The longest line, which a repack has; any other is below 64 KB.
pub(super) const LINE_MAX: usize = 3 * 1024 * 1024;
/// How many laptops share a repository.
const LAPTOPS_MAX: usize = 64;
/// How many pushes a repository can have.
const SEQUENCE_MAX: u64 = 99_999_999;
/// Times are told to the hour.
pub const HOUR: u64 = 3600;
/// The year 9999.
const TIME_MAX: u64 = 253_402_300_799;

/// A key file, and what it has to be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyFile {
    /// Its name on the remote.
    pub name: KeyName,
    /// Of its bytes.
    pub sum: Sum,
}

/// A laptop that has the keys.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Laptop {
    /// What its person calls it.
    pub name: LaptopName,
    /// Whom its key file is for.
    pub recipient: Recipient,
    /// The file itself.
    pub key: KeyFile,
}

/// What opens the repository without any laptop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The recovery key's public half.
    pub recipient: Recipient,
    /// All keys, for it.
    pub key: KeyFile,
    /// The recovery key itself, for a passphrase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passphrase: Option<KeyFile>,
}

/// Who has the keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holders {
    /// Each with a file of its own.
    pub laptops: Vec<Laptop>,
    /// Without any laptop.
    pub recovery: Recovery,
}

/// What a push says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Of the line.
    #[serde(rename = "co-sealed")]
    pub format: u32,
    /// Whose chain it belongs to.
    pub repository: RepositoryId,
    /// Whose key it is sealed with.
    pub epoch: u32,
    /// The first is 1.
    pub sequence: u64,
    /// The hash of the record before; none before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Sum>,
    /// Which laptop pushed it.
    pub laptop: LaptopName,
    /// When, in seconds, to the hour.
    pub time: u64,
    /// Where the plain branch was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<Tip>,
    /// Where it is now.
    pub new: Tip,
    /// Who has the keys from now on; none if that is as after the record before, which most pushes
    /// need not repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub laptops: Option<Vec<Laptop>>,
    /// What opens all of it without a laptop; none as for the laptops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
    /// The commitment to the key of the next epoch, which begins with the next record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Sum>,
    /// What a repack stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covers: Option<Covers>,
}

/// Why a line is no record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordFault {
    /// A later co wrote it.
    #[error("its record has format {0}, which this version does not read")]
    Newer(u32),
    /// More than a record needs.
    #[error("its record is too long")]
    TooLong,
    /// Other fields, or other values.
    #[error("its record cannot be read")]
    Unreadable,
    /// The same values spelt differently.
    #[error("its record is not written the way co writes it")]
    OtherSpelling,
    /// A value that no record has.
    #[error("the {0} in its record is impossible")]
    OutOfBounds(&'static str),
}

/// The time of a record and of a commit on the remote: the hour that it lies in.
pub const fn hour(seconds: u64) -> u64 {
    seconds - seconds % HOUR
}

impl Record {
    /// The first record of a repository that is being sealed by `laptop`.
    pub fn first(
        ring: &KeyRing,
        laptop: LaptopName,
        holders: Holders,
        new: Tip,
        seconds: u64,
    ) -> Record {
        let record = Record {
            format: FORMAT,
            repository: ring.repository().clone(),
            epoch: 1,
            sequence: 1,
            before: None,
            laptop,
            time: hour(seconds),
            old: None,
            new,
            laptops: None,
            recovery: None,
            next: None,
            covers: None,
        };
        record.naming(holders)
    }

    /// The same, which says who has the keys from now on.
    pub fn naming(self, holders: Holders) -> Record {
        let Holders { laptops, recovery } = holders;
        Record { laptops: Some(laptops), recovery: Some(recovery), ..self }
    }

    /// Who has the keys from now on, if the record says so.
    pub fn holders(&self) -> Option<Holders> {
        let (laptops, recovery) = (self.laptops.clone()?, self.recovery.clone()?);
        Some(Holders { laptops, recovery })
    }

    /// The one line that stands for it, without its end; fails for what `parse` would not take.
    pub fn line(&self) -> Result<String, RecordFault> {
        self.check()?;
        let line = self.spelt();
        if line.len() > LINE_MAX { Err(RecordFault::TooLong) } else { Ok(line) }
    }

    fn spelt(&self) -> String {
        serde_json::to_string(self).expect("because all its parts are texts and numbers")
    }

    /// Reads such a line.
    pub fn parse(line: &[u8]) -> Result<Record, RecordFault> {
        if line.len() > LINE_MAX {
            return Err(RecordFault::TooLong);
        }
        let format = format(line).ok_or(RecordFault::Unreadable)?;
        if format > FORMAT {
            return Err(RecordFault::Newer(format));
        }
        let record: Record = serde_json::from_slice(line).map_err(|_| RecordFault::Unreadable)?;
        record.check()?;
        let is_spelt_so = record.spelt().as_bytes() == line;
        if is_spelt_so { Ok(record) } else { Err(RecordFault::OtherSpelling) }
    }

    fn check(&self) -> Result<(), RecordFault> {
        let is_first = self.sequence == 1;
        let is_hour = self.time <= TIME_MAX && self.time == hour(self.time);
        let checks = [
            ((FORMAT_OF_ALL..=FORMAT).contains(&self.format), "format"),
            ((1..=EPOCHS_MAX).contains(&self.epoch), "epoch"),
            (!is_first || self.epoch == 1, "epoch"),
            ((1..=SEQUENCE_MAX).contains(&self.sequence), "sequence"),
            (self.before.is_none() == is_first, "record before"),
            (is_hour, "time"),
            (self.old.is_none() == is_first, "old commit"),
            (self.names_whom_it_must(), "list of laptops"),
            (self.laptops.as_deref().is_none_or(are_of_a_sound_number), "number of laptops"),
            (self.holders().is_none_or(|holders| holders.has_each_once()), "list of laptops"),
            (self.covers.is_none() || self.old.as_ref() == Some(&self.new), "new commit"),
            (self.covers.is_none() || self.next.is_none(), "next epoch"),
            (self.has_fitting_covers(), "repack"),
        ];
        match checks.into_iter().find(|(is_so, _)| !is_so) {
            Some((_, what)) => Err(RecordFault::OutOfBounds(what)),
            None => Ok(()),
        }
    }

    /// Whether a repack can stand for what it says.
    fn has_fitting_covers(&self) -> bool {
        let fits = |covers: &Covers| covers.fits(self.epoch, self.sequence, self.before.as_ref());
        self.covers.as_ref().is_none_or(fits)
    }

    /// Whether it says all of who has the keys, or nothing of it where another record did before.
    fn names_whom_it_must(&self) -> bool {
        let begins = self.sequence == 1 || self.covers.is_some() || self.format == FORMAT_OF_ALL;
        match (&self.laptops, &self.recovery) {
            (Some(_), Some(_)) => true,
            (None, None) => !begins,
            _ => false,
        }
    }
}

/// None may be left: a server has no keyring, and the recovery key opens all of it.
fn are_of_a_sound_number(laptops: &[Laptop]) -> bool {
    laptops.len() <= LAPTOPS_MAX
}

impl Holders {
    /// Whether no two laptops share a name, and no two holders a file.
    fn has_each_once(&self) -> bool {
        let names: BTreeSet<&LaptopName> = self.laptops.iter().map(|laptop| &laptop.name).collect();
        let files: BTreeSet<&KeyName> = self.key_files().map(|file| &file.name).collect();
        names.len() == self.laptops.len() && files.len() == self.key_files().count()
    }

    /// All key files that have to lie on the remote.
    pub fn key_files(&self) -> impl Iterator<Item = &KeyFile> {
        let of_laptops = self.laptops.iter().map(|laptop| &laptop.key);
        of_laptops.chain([&self.recovery.key]).chain(&self.recovery.passphrase)
    }
}

/// The format that a line says it has, before the rest of it is read.
pub(super) fn format(line: &[u8]) -> Option<u32> {
    let rest = line.strip_prefix(b"{\"co-sealed\":")?;
    let end = rest.iter().take(11).position(|byte| *byte == b',')?;
    str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests;
