//! `co` keeps what AI assistants know about a person as a git repository of plain markdown, the
//! same on every laptop.
//!
//! # The map
//!
//! Dependencies point down only: `cli` → `mcp` → `display` → `ops` → `system`, `merge`, `recall`, `context` →
//! `identity` → `secrets`, `foreign`.
//!
//! - `foreign`: text that co did not write, and `Said`, the one type that is printed and answered.
//!   Knows text and nothing else. Pure.
//! - [`secrets`]: which bytes of a text are a secret. Knows text and nothing else. Pure.
//! - [`identity`]: what an identity is. The table of kinds, paths, stamps, hashes, frontmatter,
//!   documents, memories, the ledger, findings, the one validation of what is written. Pure.
//! - [`merge`]: how two become one. Rules by memory, key, field and entry; the tidy pass before a
//!   commit; ids; the plan that carries a tree to disk. Pure and symmetric; the laws are tests.
//! - `recall`: which memories answer a question. Pure.
//! - `agents`: where each agent keeps what, and co's part of it as text → text. Pure.
//! - `adopt`: what agents know already, as proposals. Pure.
//! - `extract`: the text of other programs' files: bytes → markdown. Pure.
//! - [`knowledge`]: documents: topics, what they are about, how links name them, what was added from
//!   where. Pure.
//! - `context`: what an agent reads at the start of a session. Pure.
//! - `system`: the one door to the machine. `Env` is what the process is, `Context` where a call
//!   happens; files, locks, git, keyring, clock, terminal.
//! - `ops`: the verbs. A typed request in, a typed report out; no printing, no asking.
//! - `display`: what programs and agents read of a report, in the words of the seeds.
//! - `mcp`: the server for agents, thin over `ops` and `display`.
//! - [`cli`]: arguments, prompts, rendering, exit codes. The binary is three lines over it.
//!
//! # Invariants
//!
//! - No fact is lost: a memory leaves only through a forget, which leaves a line in the ledger, or
//!   by a person's hand, which sync notices.
//! - Files before the ref, creates before overwrites before deletes before the ledger; a file is
//!   never half-written.
//! - Pure modules know no file, process, environment, clock, git or terminal; nothing outside
//!   `system` opens a file or starts a process. Held by clippy's disallowed lists and by
//!   `tests/architecture.rs`.
//! - A value lives in the keyring; what looks like one passes no door, and no message shows it.
//! - A bad file costs that file, never the command.
//! - What an agent proposes is no fact of a person's before they agreed, or let it save by itself;
//!   a note of one project reaches no other. An agent's file is replaced only where it is what was
//!   read.
//! - No text that co did not write drives a screen, hides, or begins a line: it is one
//!   line between words of co, or stands behind a margin. Held by the types of `foreign`.

mod adopt;
mod agents;
pub mod cli;
mod context;
mod display;
mod extract;
mod foreign;
pub mod identity;
pub mod knowledge;
mod mcp;
pub mod merge;
mod ops;
mod recall;
pub mod secrets;
#[allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one door to the machine"
)]
mod system;
