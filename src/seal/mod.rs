//! A sealed remote: what lies on a computer that nobody trusts, and what is taken from there.
//!
//! Invariant: nothing here is home-made but the order of things: files are age files, packs are
//! git bundles, and the chain over them is an HMAC and hashes. What comes from the remote is
//! bounded before it is opened and checked before it is returned. Must not know: files, git, the
//! clock, the keyring. Random bytes are passed in; only age identities, and what is random within
//! an age file, are drawn by `age` itself.
//!
//! A push: `Seen::record` (or `Record::first`), changed as needed, and `naming` who has the keys if
//! that changed; `pack::seal`; `layout::parts`; a commit with `layout::NAME`, `EMAIL`, `MESSAGE`
//! and `record::hour`; and once the push was taken, `chain::accept` of the link that `seal`
//! returned.
//!
//! A fetch: `Survey::of` the tree; `since` the tree that was taken last (what is new, what was lost
//! or replaced); for each new pack, whose `size` is within `Limits`, its parts joined: `open`.
//! A record with `next` hands over: the laptop's own key file, whose `Sum` that record names, opens
//! to a ring, which `KeyRing::grown_to` lets replace the one here before the next pack is opened.
//! Then `chain::accept` with all links at once.
//!
//! A new epoch: `KeyRing::next`; key files of it (`key_file`) for all who stay and for recovery;
//! and a record without bundle, with `next` (the commitment to it) and the new `laptops` and
//! `recovery`.

mod age_file;
pub mod chain;
mod covers;
pub mod key_file;
pub mod keys;
pub mod layout;
pub mod names;
pub mod pack;
pub mod record;
#[cfg(test)]
mod sample;
