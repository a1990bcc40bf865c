//! The keys of sealed remotes: in the keyring of this laptop, or given to the command.
//!
//! Invariant: a key is never written to a file here, and what was stored is read back before
//! anybody relies on it. Entries lie beside those of secrets under names that no secret can have.
//! Must not know what a key opens.

use super::{
    Context, SystemError,
    error::At,
    files,
    keyring::{self, KeyringEntry, KeyringError, Unlock, Value},
};
use crate::seal::{
    keys::{KeyRing, LaptopKey},
    names::RepositoryId,
};
use age::secrecy::ExposeSecret;
use std::{
    io::{self, Write},
    path::Path,
};

/// The variable with a recovery key, for where there is no keyring.
pub const VARIABLE: &str = "CO_SEAL_KEY";

/// How the names of these entries begin; a secret's name has no `/`.
const PREFIX: &str = "seal/";

/// Whether an entry of the keyring is a key.
fn is_key(entry: &KeyringEntry) -> bool {
    entry.name.starts_with(PREFIX)
}

/// What a laptop keeps of a sealed remote.
#[derive(Clone, Debug)]
pub struct Held {
    /// The repository's keys of all epochs.
    pub ring: KeyRing,
    /// The laptop's own, which opens its key file.
    pub laptop: LaptopKey,
}

impl Held {
    /// What the keyring is to have where the recovery key opened this ring: later keys that are in
    /// the keyring already are kept, and so is the laptop's own. `None` if the keys there are not
    /// those of this ring.
    pub fn with(ring: KeyRing, known: Option<Held>) -> Option<Held> {
        let Some(known) = known else {
            return Some(Held { ring, laptop: LaptopKey::generate() });
        };
        if ring.grown_to(known.ring.clone()).is_ok() {
            return Some(known);
        }
        let ring = known.ring.grown_to(ring).ok()?;
        Some(Held { ring, laptop: known.laptop })
    }

    fn to_value(&self) -> Value {
        let (laptop, ring) = (self.laptop.to_text(), self.ring.to_text());
        Value::new(format!("{}\n{}", laptop.expose_secret(), ring.expose_secret()).into_bytes())
    }

    fn parse(value: &Value) -> Option<Held> {
        let text = std::str::from_utf8(value.expose()).ok()?;
        let (laptop, ring) = text.split_once('\n')?;
        Some(Held { ring: KeyRing::parse(ring).ok()?, laptop: LaptopKey::parse(laptop).ok()? })
    }
}

/// Where the keys of one command come from.
#[derive(Clone, Debug)]
pub struct KeySource {
    given: Option<Value>,
    unlock: Unlock,
}

impl KeySource {
    /// The variable, else the keyring.
    pub fn of(context: &Context) -> KeySource {
        let given = context.env(VARIABLE).map(|text| Value::new(text.as_bytes().to_vec()));
        KeySource { given, unlock: Unlock::on(context) }
    }

    /// A recovery key or passphrase that a person typed or named, before all others.
    pub fn with(self, given: Value) -> KeySource {
        KeySource { given: Some(given), ..self }
    }

    /// The recovery key or passphrase that is used instead of the keyring.
    pub fn given(&self) -> Option<&Value> {
        self.given.as_ref()
    }

    /// The same without it: what the keyring itself has.
    pub fn of_keyring(&self) -> KeySource {
        KeySource { given: None, ..self.clone() }
    }

    /// The keys of this repository; those of all for `None`, because before it is opened a
    /// repository does not say which it is.
    pub fn stored(&self, repository: Option<&RepositoryId>) -> Result<Vec<Held>, KeyringError> {
        let names = match repository {
            Some(repository) => vec![name_of(repository)],
            None => {
                let entries = keyring::list()?;
                let mut names: Vec<String> =
                    entries.into_iter().filter(is_key).map(|entry| entry.name).collect();
                names.dedup();
                names
            }
        };
        let mut held = Vec::new();
        for name in names {
            let entries = keyring::get(&name, self.unlock)?;
            held.extend(entries.iter().filter_map(|entry| Held::parse(entry.value.as_ref()?)));
        }
        Ok(held)
    }

    /// Fails if the keyring does not give back what it was given.
    pub fn store(&self, held: &Held) -> Result<(), KeyringError> {
        self.keep(&name_of(held.ring.repository()), &held.to_value())
    }

    fn keep(&self, name: &str, value: &Value) -> Result<(), KeyringError> {
        keyring::set(name, value.clone(), self.unlock)?;
        let back = keyring::get(name, self.unlock)?;
        if back.iter().any(|entry| entry.value.as_ref() == Some(value)) {
            return Ok(());
        }
        Err(KeyringError::Failed("it did not give back the key that was stored".to_owned()))
    }

    /// Fails if the keyring would not keep a key: one is stored, read back and removed, because a
    /// keyring without a collection lists its entries as any other.
    pub fn require_keyring(&self) -> Result<(), KeyringError> {
        // One that a kill left is replaced by the next.
        let name = format!("{PREFIX}trial");
        let value = format!("{:016x}", u64::from_le_bytes(random()));
        self.keep(&name, &Value::new(value.into_bytes()))?;
        keyring::remove(&name, self.unlock).map(drop)
    }
}

/// Writes a key to a new file that only the user can read; `false` if the name is taken.
pub fn write_key(path: &Path, text: &str) -> Result<bool, SystemError> {
    let Some(mut file) = files::create_private(path)? else { return Ok(false) };
    file.write_all(format!("{text}\n").as_bytes()).at("write", path)?;
    files::bring_to_disk(path)?;
    Ok(true)
}

/// The longest file with a key.
const KEY_MAX: u64 = 64 * 1024;

/// A recovery key or passphrase from a file; `-` is standard input.
pub fn read_key(path: &Path) -> Result<Value, SystemError> {
    let bytes = if path == Path::new("-") {
        files::read_stdin(KEY_MAX)?
    } else {
        let missing = || io::Error::new(io::ErrorKind::NotFound, "there is no such file");
        files::read(path)?.ok_or_else(missing).at("read", path)?
    };
    Ok(Value::new(bytes))
}

fn name_of(repository: &RepositoryId) -> String {
    format!("{PREFIX}{repository}")
}

/// Random bytes from the system.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("because every system that co runs on gives random bytes");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_later_key_is_replaced_by_earlier_ones() {
        let one = KeyRing::begin(RepositoryId::random(random()));
        let (two, other) = (one.next().expect("few epochs"), one.next().expect("few epochs"));
        let laptop = LaptopKey::generate();
        let known = |ring: &KeyRing| Some(Held { ring: ring.clone(), laptop: laptop.clone() });
        for (given, known_ring) in [(&one, &two), (&two, &one), (&two, &two)] {
            let held = Held::with(given.clone(), known(known_ring)).expect("one ring");
            assert_eq!(held.ring.commitment(2), two.commitment(2));
            assert_eq!(held.laptop.recipient(), laptop.recipient());
        }
        assert!(Held::with(two.clone(), known(&other)).is_none());
        assert_eq!(Held::with(two, None).map(|held| held.ring.newest()), Some(2));
    }

    #[test]
    fn what_is_stored_is_read_back_and_not_shown() {
        let repository = RepositoryId::random(random());
        let held = Held { ring: KeyRing::begin(repository), laptop: LaptopKey::generate() };
        let back = Held::parse(&held.to_value()).expect("the same");
        assert_eq!(back.laptop.recipient(), held.laptop.recipient());
        assert_eq!(back.ring.commitment(1), held.ring.commitment(1));
        assert!(!format!("{held:?}").contains("AGE-SECRET"));
        for text in ["", "\n", "AGE-SECRET-KEY-1", "a\nb"] {
            assert!(Held::parse(&Value::new(text.as_bytes().to_vec())).is_none(), "{text}");
        }
    }
}
