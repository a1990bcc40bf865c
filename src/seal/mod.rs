//! A sealed remote: what lies on a computer that nobody trusts, and what is taken from there.
//!
//! Invariant: nothing here is home-made but the order of things: files are age files, packs are git
//! bundles, and the chain over them is an HMAC and hashes. What comes from the remote is bounded
//! before it is opened and checked before it is returned. Must not know: files, git, the clock, the
//! keyring. Random bytes are passed in; only the keys within an age file, and age identities, are
//! drawn by `age` itself.
//!
//! ```text
//! keys     KeyRing (one EpochKey an epoch), LaptopKey, RecoveryKey, Passphrase; key files that wrap them
//! names    what a record names: RepositoryId, LaptopName, Tip, KeyName, Recipient
//! record   Record: one line of JSON in a fixed order, strict and bounded
//! pack     seal(record, bundle, ring) → bytes; open(bytes, ring, limits) → Opened
//! chain    Seen: what this laptop has taken; accept(seen, records) → Accepted or ChainFault
//! layout   names on the remote's one branch; Survey of what lies there; README.md
//! ```
//!
//! A push: `record::Draft` → `pack::seal` → `layout::parts` → a commit with `layout::NAME` and
//! `layout::hour`. A fetch: `layout::Survey::of` → `Survey::since` (what is new, what was lost or
//! replaced) → `pack::open` each, growing the ring by the laptop's own key file where a record hands
//! over to a new epoch → `chain::accept` → `chain::key_files`.
