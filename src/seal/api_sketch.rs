//! API of src/seal (signatures; bodies follow)
//! use age::secrecy::{SecretString, ExposeSecret}; identity::ContentHash for hashes.
//!
//! seal::names   RepositoryId::random([u8;16]), KeyName::random([u8;16]) -> "keys/<name>.age" via layout::key_path(&KeyName)
//!               LaptopName::of(&str) -> Option<LaptopName> (makes one fit), Tip::parse(&str) -> Option<Tip>, .as_str() on all
//! seal::keys    EpochKey::generate()
//!               KeyRing::begin(RepositoryId) -> KeyRing (epoch 1) ; ring.next() -> KeyRing (one epoch more) ; ring.newest() -> u32 ; ring.repository()
//!               ring.to_text() -> SecretString (an age identity file; for keyring, key files, `seal export-key`) ; KeyRing::parse(&str) -> Result<KeyRing, KeyFault>
//!               ring.commitment(epoch) -> Option<ContentHash> ; ring.grown_to(KeyRing) -> Result<KeyRing, KeyFault> (the new one must begin with ours)
//!               ring.shortened(epoch) -> not needed
//!               LaptopKey::generate() / to_text / parse / recipient() -> Recipient
//!               RecoveryKey::generate() / to_text(): SecretString / parse(&str: typed or a file with # lines) / recipient() / last_four() -> String
//!               Passphrase::random([u8;20]) / Passphrase::own(&str) -> Option / reveal() -> &str
//! seal::key_file  for_recipient(&KeyRing, &Recipient) -> Vec<u8> ; open_with_laptop(&[u8], &LaptopKey) , open_with_recovery(&[u8], &RecoveryKey) -> Result<KeyRing, KeyFault>
//!               for_passphrase(&RecoveryKey, &Passphrase, Work) -> Vec<u8> ; open_with_passphrase(&[u8], &Passphrase) -> Result<RecoveryKey, KeyFault> ; is_for_passphrase(&[u8]) -> bool
//! seal::record  struct Record { version, repository, epoch, sequence, before: Option<ContentHash>, laptop, time, old: Option<Tip>, new: Tip,
//!                 laptops: Vec<Laptop{name, recipient, key: KeyFile{name, sum}}>, recovery: Recovery{recipient, key: KeyFile, passphrase: Option<KeyFile>},
//!                 next: Option<ContentHash> (hands over to a new epoch: ring.next().commitment), covers: Option<Covers> (a repack) }
//!               Record::first(&KeyRing, members…) / seen.record(laptop, time) -> Record (the following one; change fields before sealing)
//! seal::pack    seal(&Record, bundle: &[u8], &KeyRing) -> Result<Sealed{bytes, hash}, SealFault>
//!               open(bytes: &[u8] (parts joined), &KeyRing, &Limits) -> Result<Opened{record, hash, sealed_to, bundle: Vec<u8>}, PackFault>
//! seal::chain   Seen { repository, epoch, sequence, hash, tip, next, laptops, recovery, heard } to_text/parse (state file in the git dir)
//!               accept(Option<&Seen>, &[Link{record, hash, sealed_to}]) -> Result<Seen, ChainFault>; Opened::link()
//!               key_files(&Seen, &BTreeMap<KeyName, ContentHash>) -> KeyFiles { missing, replaced, strange }
//! seal::layout  Survey::of(iterator of (path, blob id, size)) -> Result<Survey, LayoutFault>; survey.packs: BTreeMap<u64, Vec<Part{path, id, size}>>, keys, strangers
//!               survey.since(Option<&Survey>) -> Result<Vec<u64>, LayoutFault>; parts(sequence, &[u8]) -> Vec<(String, &[u8])>; hour(i64), NAME, EMAIL, README
