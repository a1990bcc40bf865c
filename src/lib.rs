//! `co` keeps what AI assistants know about a person as a git repository of plain markdown, the
//! same on every laptop.
//!
//! # The map
//!
//! Dependencies point down only; what stands on one line does not know each other, unless it says so.
//!
//! ```text
//! cli                    arguments, prompts, screens, exit codes; one file a verb
//! mcp                    the server for agents; also called by cli to serve
//! display                reports as plain text, the same for pipes and agents
//! ops                    the verbs: a typed request in, a typed report or error out
//! system                 the one door to the machine; starts the reader of documents (extract)
//! adopt → agents         what agents know already; where each agent keeps what
//! context                what an agent reads at the start of a session
//! merge                  how two identities become one
//! knowledge → recall     documents; search over memories and documents
//! identity               what an identity is
//! secrets, extract       which bytes are a secret; the text of other programs' files
//! foreign                text that co did not write
//! ```
//!
//! - `foreign`: sanitises untrusted text. `Said` is the only type that may be printed or returned to
//!   a model. Pure.
//! - [`secrets`]: the scanner and its rules, redaction, references such as `{{secret:NAME}}`. Pure.
//! - [`identity`]: the table of kinds, paths, stamps, hashes, frontmatter, memories, the ledger,
//!   findings, and the one validation of what is written. Pure.
//! - [`merge`]: rules by memory, key, field and entry; the tidy pass before a commit; ids; the plan
//!   that carries a tree to disk. Pure and symmetric; the laws are tests.
//! - `recall`: ranks memories and documents for a query. Pure.
//! - [`knowledge`]: topics, labels, links between documents, what was added from where. Pure.
//! - `context`: layers, budget, markdown and XML. Pure.
//! - `agents`: the table of agents, and co's part of their files as text → text. Pure.
//! - `adopt`: what agents know already, as proposals. Pure.
//! - `extract`: bytes → markdown. Pure.
//! - `system`: files, locks, git, the search index, processes, keyring, settings, clock, terminal.
//!   `Env` is what the process is, `Context` where a call happens.
//! - `ops`: each verb once. What changes something has a `plan` that can be shown, and an `apply`.
//!   An error is an enum of its module with its cause; `ops::Error` is the sum of them.
//! - `display`: the wording is fixed by the specification.
//! - `mcp`: tools over `ops` and `display`. `failure` explains an error to a model.
//! - [`cli`]: `explain` explains an error to a person. `main.rs` only calls `run`.
//!
//! # Where a change belongs
//!
//! - A verb: a file in `ops`, a file in `cli`, a row in the enum of its group.
//! - A kind of file: a row in `identity::kind` and its merge rule.
//! - An agent: a row in `agents::rows`. A secret rule: a row in `secrets::rules`.
//! - A tool of the server: its arguments and row in `mcp::tools`.
//! - A setting: a row in `system::settings::keys`. A finding: a variant of `identity::finding::Code`.
//! - What an error says: `#[error]` in its module; what to do next: `cli::explain`, `mcp::failure`.
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
//! - A value lives in the keyring. Text that looks like a secret is refused on save, import, export
//!   and sync, and no message prints it.
//! - A bad file costs that file, never the command.
//! - A proposal of an agent becomes a memory only with the user's consent (per item or by setting);
//!   notes of one project are never shown in another. An agent's file is replaced only where it is
//!   what was read.
//! - Untrusted text cannot send control sequences, hide, or start a line: it is printed as a single
//!   escaped line, or quoted behind a margin. Held by the types of `foreign`.

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
