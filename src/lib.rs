//! `co` keeps what AI agents know about a person as a git repository of plain markdown, the
//! same on every laptop.
//!
//! # The map
//!
//! Dependencies point down only, and to the right: `tests/architecture.rs` holds the order, and
//! `tests/map.rs` compares this picture with it.
//!
//! ```text
//! cli                    arguments, prompts, screens, exit codes; one file a verb
//! web, mcp               the page for a browser, the server for agents; cli starts both
//! display                what tools of agents print too; all other output is in cli
//! hints                  what to do next about an error: for a person, and for a model
//! upkeep → undo          looking after an identity and a laptop; taking an operation back
//! → transfer             verbs between places: init, import, export, restore, move
//! → integrations         agents, plain git, the keyring; what an agent reads at the start
//! → documents → facts    the verbs for documents, and for facts
//! → sync                 with the remote, and with agents' notes
//! workspace              the world of one call, opened once, and the one way to write
//! index                  the one derived store, and the one search over it
//! git                    objects, refs, index, transport, journal
//! machine                the one door to the machine; starts the reader of documents (extract)
//! extract, context       the text of other programs' files; what an agent reads at the start
//! adopt → agents         what agents know already; where each agent keeps what
//! merge → knowledge      how two identities become one; links follow what one of them moved
//! → recall               search over memories and documents
//! seal → identity        a remote that nobody else can read; what an identity is
//! unzip, secrets         zip archives, also for adopt; which bytes are a secret
//! foreign                text that co did not write
//! ```
//!
//! - `foreign`: sanitises untrusted text. `Said` is the only type that may be printed or returned
//!   to a model. Pure.
//! - `secrets`: the scanner and its rules, redaction, references such as `{{secret:NAME}}`. Pure.
//! - `identity`: the table of kinds, paths, stamps, hashes, frontmatter, memories, the ledger,
//!   findings, and the only validation of what is written. Pure.
//! - `seal`: keys, records, packs and the chain of a sealed remote, whose files are age files
//!   around git bundles. Pure.
//! - `merge`: memories (`memories`, `versions`), frontmatter keys (`frontmatter_keys`), fields and
//!   entries of a body (`bodies`), whole files (`files`), documents that moved (`moves`,
//!   `relocation`); an import (`import`); what an undo brings back (`undo`); the tidy pass before a
//!   commit; ids; the plan that carries a tree to disk (`checkout`). Pure and symmetric; the laws
//!   are tests.
//! - `recall`: ranks memories and documents for a query. Pure.
//! - `knowledge`: topics, labels, links between documents, the sources of added documents. Pure.
//! - `context`: layers, budget, markdown and XML. Pure.
//! - `agents`: the table of agents, and the edits of their files, as text → text. Pure.
//! - `adopt`: what agents already know, as proposals. Pure.
//! - `extract`: bytes → markdown. Pure.
//! - `unzip`: reads the members of a zip archive, up to a limit. Pure.
//! - `machine`: files, locks, archives of identities (`archive`), processes, keyring, settings,
//!   clock, terminal, the operation log. `Env` describes the process, `Context` the place of a
//!   call.
//! - `git`: repositories, through gix and the git program. `git::remote` alone decides whether a
//!   remote is plain or sealed; `git::sealed` opens and seals, with keys of `machine::seal_keys`.
//! - `index`: `database` is what is on disk; `search` asks it. `recent`: what was saved and is not
//!   in it yet.
//! - The rooms of verbs have each verb once; `co learn` is `facts::save`, what an agent saves goes
//!   through `facts::remember`. Verbs whose effect a person should see first have a `plan` that can
//!   be shown, and an `apply`. The errors of a verb are an enum beside it, with causes, a
//!   `workspace::VerbError`; `workspace::Error` is any of them.
//! - `workspace`: what a call works on, opened once by `cli`, by `mcp` for each call and by
//!   `web` for each request: finishes what a killed co left, recognises the identity, opens its
//!   repository.
//! - `index::store`: where facts are, in a scope: the identity, or a project. `workspace::named`:
//!   the facts that a handle names; `index::FactIndex` says which files to read for it.
//! - `workspace::power_loss`: brings back what a restart of the laptop lost; git's own files:
//!   `git::mend`.
//! - `workspace::transaction`: the one way to write. `Workspace::write` takes a store's lock and
//!   returns the right to write, a `Write`. Its operations are carried out by `apply`, which
//!   records, writes and updates the index; `apply_adding` goes on if the log cannot be written.
//!   The only reasons to write without a record are those of `Unrecorded`. Sync holds a second lock
//!   on the whole identity.
//! - `display`: facts and documents as both a pipe and an agent's tool print them.
//! - `mcp`: tools over the verbs and `display`. What a model can do about an error: `hints`.
//! - `web`: calls over the verbs, one row each (`calls`); who is let in (`access`); the page.
//! - [`cli`]: screens and prompts; what a person can do about an error: `hints`. `main.rs` only
//!   calls `run`.
//!
//! Terms: a fact is a memory; its number is its id; a handle is what a person types for it; a
//! document is a text under `knowledge/`, but `identity::Document` is any file with frontmatter, a
//! memory too; an article is a document as `recall` searches it; the
//! index is the search index (its file is `local/index.db`), in `git` that of git; a seed
//! is a document from the folder that `knowledge seed` loads; foreign means untrusted; a layer is
//! another identity that is read beside a person's own, but in `context` a part of what agents
//! read.
//!
//! # Where a change belongs
//!
//! - A verb: a file in the room of its subject (`facts`, `documents`, `sync`, `integrations`,
//!   `transfer`, `undo`, `upkeep`) with its request, report and errors (a folder has its errors in
//!   its `error`), which takes a `Workspace`, and its `mod` line; a file in its group's folder of
//!   `cli` (`check`, `diff`, `export`, `import`, `log`, `redo`, `restore`, `sync`, `undo`:
//!   `cli::identity`; of no group: `cli` itself) with a type that implements `cli::verb::Verb`, a
//!   row in the group (`co memory x`), and one in `cli::commands` for a short form (`co x`), whose
//!   name is in no row of `cli::mistyped`; what to do about its errors: a row in `hints`; what it
//!   logs for undo: a variant and its words in `machine::oplog::verb`. Its tests: in `tests/verbs`,
//!   under the name that `co help` lists, its own or its group's; a usual and a failing run of it
//!   at the end of `tests/scenarios/every_verb.rs`, one with foreign words in
//!   `tests/scenarios/untrusted_text.rs`; if it reads, a row in the lists of
//!   `tests/scenarios/layers/apart.rs`, `tests/scenarios/layers/marked.rs`,
//!   `tests/scenarios/index/notes.rs`, `tests/scenarios/index/in_use.rs` and
//!   `tests/scenarios/index/damage.rs`. Man pages and completions are made anew.
//! - What a command prints: its file in `cli` (`co status`: `cli::status`), and in `--json` the
//!   fields of its verb's `Report` (`upkeep::status`); the envelope around these, of failures too:
//!   `cli::json`, its tests: `tests/scenarios/json_envelope.rs`. `co` alone: `cli::home`; a sync:
//!   `cli::identity::sync_text`; while it waits: `cli::progress`; how long ago something was:
//!   `cli::ago`. In which order facts are listed:
//!   `facts::list`; in which if nobody says, at a terminal and in a pipe: `cli::memory::list`. What
//!   a word of another program leads to: `cli::mistyped`; what a shell completes: `cli::complete`.
//! - Which facts are nearly the same: `recall::alike`. How a fact's file is named:
//!   `identity::slug`.
//! - What is in a sealed remote: `seal`; when it is opened and sealed: `git::sealed`; its verbs:
//!   `transfer::seal`, `cli::seal`; how a laptop is named there: `seal::names`, and which name a
//!   second one of that name gets: `git::sealed::published`. A field of a record: `seal::record`.
//!   Older versions refuse unknown fields, so raise its `FORMAT` and keep reading the older ones;
//!   say it in `src/seal/remote.md` and `docs/sealed.md`.
//! - A frontmatter key of a fact: a row of `FACT_KEYS` in `identity::memory_meta`, which says who
//!   sets it and what it has to be, and read there (who said it: `identity::provenance`), passed to
//!   tools, JSON and the page by `identity::fact_view`, to lists by `identity::fact_list`, for
//!   which `index::listed` reads the index in the order of `MemoryMeta` (raise its `EDITION`); the
//!   first lines of `co show`: `cli::memory::show`; on the page: `web/page/fact.js`. When it holds:
//!   the keys in `identity::times`, the rule in `identity::current`, for stores in `index::held`;
//!   as they are typed: `facts::timing`, and in the editor: `facts::editor_text`; why a person is
//!   asked whether it still does: `facts::review::stale`.
//! - How a date may be written, in options and questions alike: `identity::dates`, in words
//!   `identity::dates::words`. `workspace::asked` reads it from options, `recall::dates` from
//!   questions. What depends on the moment that an answer is about asks `Context::moment`.
//! - An environment variable: a row in `cli::environment`; read with `Context::env` where it is
//!   used, in `machine::env` if it is needed at the start.
//! - A limit on a file's size: `identity::kind`.
//! - A kind of file: a variant, a row and an arm of `meaning` in `identity::kind`, from which
//!   follow the names at the top of an identity and the folders that prove one. What agents read of
//!   it: `context::layer`. If other programs have a folder of that name, too: `is_of_agents` in
//!   `identity::recognise`.
//! - A merge rule: a variant of `MergeRule` in `identity::kind`, an arm in `merge::files`, which
//!   merges every file that is not a memory (these: `merge::memories`, `merge::versions`; when an
//!   edit by hand was made, and what of a wrong clock is believed: `merge::stamps`; two that say
//!   the same: `merge::equal_facts`). Two edits of one text, by lines, hunks or words, for all
//!   of these: `merge::text`. It is symmetric and loses no text: `tests/laws`, `tests/model`.
//! - A field of the profile: none of these, as any `- Key: value` is one; a field that `init` asks
//!   for: `identity::templates`, `cli::init`, and `cli::prompt` for a question.
//! - What a skill has to be, and what in it is named as a program: `identity::skill`; which copies
//!   are agreed to: `workspace::skills`; where agents find them: `integrations::skills::follow`.
//! - An agent: a row in `agents::rows`, its hooks included, which cites the vendor's documentation
//!   or program (some vendors have a file of their own: `agents::{claude, copilot, antigravity}`;
//!   places that rows share: `agents::row_parts`); a new form of server entry: `agents::entry`; a
//!   new form of hook: `Shape` in `agents::hooks`. Then `tests/verbs/agent/install.rs`,
//!   `tests/agents/` for the real program, and the lists in README.md, `docs/agents.md`,
//!   `docs/compare.md`, CHANGELOG.md and LIMITS.md.
//! - A secret rule: a row in the file of its kind of service in `secrets::rules`; `vendor_beside`
//!   for one known only by a name near it; `tests/laws/secrets.rs` has its format a second time.
//!   What only looks like a secret: `secrets::judge`; a value that only the words around it give
//!   away: `secrets::worded`, with the words in `secrets::words`; values that documentation shows:
//!   `secrets::samples`.
//! - A document format: a file in `extract`, told by its bytes in `extract::extract`, or in
//!   `extract::zipped` if it is a zip archive; `FileFormat` and `is_plain`; its extension in
//!   `documents::add::folder`; its tests: `tests/verbs/knowledge/extract`, with real files in
//!   `tests/files`.
//! - A format that `agent import` reads: `adopt::form` tells it by the whole file; a service's
//!   export: `adopt::services`, and its names in an archive in `adopt::zipped`.
//! - Which identities are read in a place: `identity::layers`, which `workspace::layers` asks when
//!   a workspace is opened; the list of them: `machine::settings::layers`, changed by
//!   `transfer::layers`; `--layer`: `cli::layer_option`. Their order: `identity::layers`; that of
//!   the parts of a context: `LayerKind` in `context::layer`. What agents read of a team:
//!   `integrations::context::teams`.
//! - A tool of the server: its struct in `mcp::arguments`; its row, run and question in
//!   `mcp::tools` (a row without `asking` does not ask); what models write instead of its types:
//!   `mcp::sent`; when to use it: `mcp::instructions`; its name also in `cli::mcp`, `cli::topics`,
//!   `agents::words`, `hints`, `docs/agents.md` and `docs/stability.md`; its tests:
//!   `tests/verbs/mcp`; a version of the protocol: `mcp::lines`, and in `co agent doctor`
//!   `integrations::agent::doctor`. The page: `web/page/`, one script a view, listed in `SCRIPT` of
//!   `web::page`; what it calls: `web::calls`; how long its server runs: `web`; its tests:
//!   `tests/verbs/web`, `tests/scenarios/browser.rs`, `tests/web`; `docs/page.md`.
//! - A setting: a field, its default and a row of `KEYS` in the file of its group in
//!   `machine::settings`, and a row in `tests/verbs/config.rs`; a new group: such a file, a field
//!   of `Settings`, a part of `ALL`, and a `Section`. What `co doctor` reports: a `Check` in
//!   `upkeep::doctor`, its `Area` in `upkeep::doctor::check`.
//! - What an agent reads at the start of a session: the layers in `context`, their size and format
//!   in `integrations::agent::session`; the command that its hook calls: `cli::hook`. How long an
//!   agent lets a hook run: `agents::rows`; longer than the waits in
//!   `integrations::agent::session`.
//! - How a laptop syncs by itself: `integrations::timer`; what each system's timer is told: its
//!   `units`; when a run waits, and what status says of it: its `turn`.
//! - When notes that are gone at once were deleted, and when lost: `sync::notes::rewritten`; its
//!   tests: `tests/verbs/agent/{notes,consolidations}.rs`.
//! - What a hand-off says: `identity::handoff`; who is given it: `integrations::handoff`.
//! - Where an agent keeps notes: `agents::notes`; which folders these are: by its settings
//!   `sync::notes::settled`, by its records `sync::notes::places`.
//! - How co was installed, and is upgraded: `upkeep::upgrade`.
//! - What the subject of a commit says: `sync::message`; by what co's own commits are known:
//!   `git::commits`.
//! - What git is told at each call (`-c`): `git::process`. Ctrl-C in a push: `git::interrupt`.
//!   Which co waits for which: `machine::lock`, of which a killed co leaves none; git's own locks:
//!   `git::{index_lock, own_config}`.
//! - What plain git calls (hooks, merge driver): `upkeep::git_hook` and `cli::hook`; their scripts:
//!   `hooks/`, installed by `integrations::git_hooks`; what follows a merge or rebase that co did
//!   not make: `sync::after_git`.
//! - How a frontmatter key (tags) merges: `merge::frontmatter_keys`, where a list merges as a set
//!   by itself, and a key that may also be one value needs an arm; `equal_facts::unite` where two
//!   facts become one; a `- Key: value` item of a profile, a personality, a context or a trait:
//!   `merge::bodies`; in a document, it is a line like any other: `merge::text`.
//! - What the search index stores: made in `index::{rows, documents}`, columns in
//!   `index::database`. Raise the `EDITION` of what changed (`MemoryMeta`, `Digest`,
//!   `recall::alike::distinct`, and of documents in `index::rows`); tables count by themselves, but
//!   new meaning of the same bytes raises `FORMAT` in `index::database::schema`.
//! - What `co log 12` says happened to a fact: a word in `facts::life::step`; which operations a
//!   commit contains: `facts::life::join`. What `--at` reads: `workspace::known_then`.
//! - A finding: a variant of `identity::finding::Code`, reported by `identity::check`, or by
//!   `knowledge::check` if only documents have it; for a memory also in `MemoryMeta::are_sound_in`.
//!   A change to cached data raises its `EDITION`.
//! - The text of an error: `#[error]` in its verb's file, or `error` in its verb's folder; for git
//!   and the remote: `git::classify`. What to do next: `hints`, where a new type of error is a row
//!   in its `ROWS`; for git and the disk: `hints::system`, and `of_git` in `workspace::error` for
//!   the kind.
//! - An exit code: `cli::failure::Exit` and `workspace::ErrorKind`; its tests:
//!   `tests/scenarios/command_line.rs`, of a remote `tests/verbs/sync/refusals.rs`. A colour:
//!   `cli::style`.
//! - The ranking: weights in `recall::score`, and those of documents in `recall::articles`; added
//!   up in `recall::searcher`. A new signal: a row of `Parts` in `recall::score` (of documents: of
//!   `ArticleParts` in `recall::article`), which is also its column in `--explain`, and one of
//!   `switches` if settings.json can switch it off; explained in `cli::topics`; what it needs to
//!   know of a text and `Document` does not have goes through `recall::corpus`,
//!   `recall::collection` and `index::placed`. Weights are measured: the figures of
//!   `scripts/bench.sh --before OLD` belong into the commit. How well a fact fits the dates of a
//!   query: `recall::dates`; facts against documents: `index::search::merged`. What of a question
//!   does not matter: `recall::question`; other languages: `recall::languages`; when nothing is an
//!   answer: `recall::silence`.
//! - Man pages and completions: `cli::generate`; a new shell also in `packaging/archive.sh`,
//!   `packaging/co.rb` and the assets of Cargo.toml (nushell's is a list of everything, which none
//!   of these nor `tests/scenarios/generated.rs` has); `co help TOPIC`: `cli::topics`. Undo needs
//!   nothing for what `Write::operation` writes; files that it treats otherwise: `undo::effect`;
//!   operations that it passes over: `undo::history`; its limits: `machine::oplog`. Which files of
//!   a folder become documents: `documents::add::folder`.
//! - What differs between Unix and Windows: `machine::platform`, with the same functions in both
//!   halves. How a folder is listed, which differs on Linux: `machine::platform::entries`.
//!
//! # Invariants
//!
//! - No fact is lost: a memory goes only by a forget, which leaves a line in the ledger, or by a
//!   person's hand, which sync notices.
//! - Files before the ref, creates before overwrites before deletes before the ledger; a file is
//!   never half-written.
//! - Pure modules do not use files, processes, environment, clock, git or terminal; nothing outside
//!   `machine`, `git` and `index::database` opens a file or starts a process. Enforced by clippy's
//!   disallowed lists and by `tests/architecture.rs`.
//! - Secret values live in the keyring. Text that looks like a secret is refused on save, import,
//!   export and sync, and no message prints it.
//! - A bad file affects only that file, never the whole command.
//! - An agent's proposal becomes a memory only with the user's consent (per item or by setting);
//!   notes of one project are never shown in another. An agent's file is replaced only if it is
//!   still what was read.
//! - Untrusted text cannot send control sequences, hide, or start a line: it is printed as a single
//!   escaped line, or quoted behind a margin. Enforced by the types of `foreign`.

mod adopt;
mod agents;
pub mod cli;
mod context;
mod display;
mod documents;
mod extract;
mod facts;
mod foreign;
#[allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "git reads and writes its own folder"
)]
mod git;
mod hints;
mod identity;
mod index;
mod integrations;
mod knowledge;
#[allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one door to the machine"
)]
mod machine;
mod mcp;
mod merge;
mod recall;
mod seal;
mod secrets;
mod sync;
mod transfer;
mod undo;
mod unzip;
mod upkeep;
mod web;
mod workspace;

/// The parts of the pure modules that the tests in `tests/` use, and the verbs that these call in
/// their own process; not an interface for anyone else, so that the compiler finds unused code.
#[doc(hidden)]
pub mod tested {
    pub mod documents {
        pub mod add {
            pub use crate::documents::add::{Added, Request, Source, run};
        }
        pub mod delete {
            pub use crate::documents::delete::{Request, apply, plan};
        }
        pub mod write {
            pub use crate::documents::write::{Fields, Report, Request, run};
        }
    }
    pub mod facts {
        pub mod edit {
            pub use crate::facts::edit::{Request, run};
        }
        pub mod list {
            pub use crate::facts::list::{Request, run};
        }
        pub mod pin {
            pub use crate::facts::pin::{Pin, Request, run};
        }
        pub mod recall {
            pub use crate::facts::recall::{DEFAULT_LIMIT, RecallFilter, Request, Tally, run};
        }
        pub mod save {
            pub use crate::facts::save::{Report, Request, run};
        }
        pub mod show {
            pub use crate::facts::show::find;
        }
    }
    pub mod identity {
        pub use crate::identity::{
            Blob, Calendar, ContentHash, Document, EditTimes, Kind, Memory, RelPath, Snapshot,
            Stamp,
        };
        pub mod check {
            pub use crate::identity::check::marker_line;
        }
        pub mod kind {
            pub use crate::identity::kind::LEDGER;
        }
        pub mod value {
            pub use crate::identity::value::Value;
        }
        pub use crate::identity::{dates, memory, slug};
    }
    pub mod machine {
        pub use crate::machine::{Context, context::Overrides, env::Env, fetch::AddressPolicy};
    }
    pub mod merge {
        pub use crate::merge::{
            ChangeSet, Decision, History, Policy, Reason, change, checkout, guard, ids, import,
            merge, merge_with, tidy, undo,
        };
    }
    pub mod secrets {
        pub use crate::secrets::{Allowed, Hit, hits, redact, scan};
    }
    pub mod upkeep {
        pub mod check {
            pub use crate::upkeep::check::{Request, run};
        }
    }
    pub mod workspace {
        pub use crate::workspace::Workspace;
    }
}
