//! The arguments of `co identity`.

use clap::{Args, Subcommand, ValueEnum};

/// `co identity`
#[derive(Subcommand, Debug)]
pub enum Identity {
    /// Print where the identity is
    Path,
    /// Print the identity's files, or one of them, now or as a commit has it
    Show {
        /// A file of the identity (profile.md), also in a commit (HEAD~3:profile.md)
        #[arg(value_name = "[REV:]PATH")]
        path: Option<String>,
    },
    /// Find what is wrong with the files, and mend what can be mended
    #[command(after_help = "Exit 1 when something is wrong. `co help findings` explains each code.")]
    Check(Check),
    /// Merge with the remote: commit, fetch, merge by fact, push
    #[command(after_help = SYNC_HELP)]
    Sync(Sync),
    /// Show what an import, a sync, or your own edits change; without a source, your edits since the last commit
    #[command(after_help = DIFF_HELP)]
    Diff(Diff),
    /// Take in another identity, after showing what it changes
    #[command(after_help = IMPORT_HELP)]
    Import(Import),
    /// Write the identity into an archive or a folder
    #[command(
        after_help = "Without a path the archive is co-identity-export.tar.gz in co's own folder. Settings, databases, caches, sessions and keys\nnever get in. What was written is read back and compared before co says ok.\n\nExamples:\n  co identity export ~/Desktop/my-co.tar.gz\n  co identity export --format dir ~/co-backup/"
    )]
    Export(Export),
    /// Bring files back as a commit has them
    #[command(
        after_help = "Without --from it is the last commit. `co identity undo` takes it back.\n\nExamples:\n  co identity restore profile.md\n  co identity restore --from HEAD~3 traits/"
    )]
    Restore(Restore),
    /// Show what each command changed here, newest first; with a handle, the life of one fact
    Log {
        /// A fact: its number (`12`), `12·3fa9` or `sha256:3fa9…`
        handle: Option<String>,
        /// At most so many operations
        #[arg(short = 'n', long, default_value_t = 20)]
        limit: usize,
    },
    /// Take back the last operation of this laptop
    #[command(
        after_help = "What was not published comes back byte for byte. What was published is taken back for everybody with the next sync:\nundo of a save forgets, undo of a forget learns again. `co identity undo OP` with the number of an undo does it again."
    )]
    Undo {
        /// The number of an operation, from `co identity log`
        op: Option<u64>,
        /// Also let facts go that came from other laptops
        #[arg(long)]
        accept_deletions: bool,
    },
    /// Let plain git merge facts as sync does (merge driver), and check before each commit (hooks)
    #[command(after_help = INSTALL_HELP)]
    Install {
        /// Only show what would be done
        #[arg(long)]
        dry_run: bool,
    },
    /// Take the merge driver and the hooks out again
    Uninstall {
        /// Only show what would be done
        #[arg(long)]
        dry_run: bool,
    },
    /// Print the remote, or set it
    Remote {
        /// The URL of a git repository
        url: Option<String>,
    },
}

const SYNC_HELP: &str = "Merges never stop for a conflict: facts are joined, the same fact is kept once, what was forgotten later than it was\nlearned stays forgotten, of two edits both texts are kept. Works in an own repository, and in a folder or symlinked\nfolder of a bigger one (dotfiles), where nothing but the identity is committed.\n\nForgetting does not erase git's history: a forgotten fact can still be found there. To purge one, rewrite history with\n`git filter-repo --path knowledge/memories/NNN-….md --invert-paths` and push with force, on purpose and by yourself.";

const INSTALL_HELP: &str = "Writes into the repository that the identity lives in: `merge.co-identity` in its configuration, and lines between markers\nin pre-commit, post-merge and post-rewrite. Hooks that are there stay and are run as before; core.hooksPath is honoured;\na hook that is no shell script is left alone and named. `co identity uninstall` gives back the same bytes.\n\nWith other hook managers:\n  pre-commit, prek   - repo: https://…/co    hooks: [{id: co-identity}]\n  husky              echo 'co hook pre-commit' >> .husky/pre-commit\n  lefthook           pre-commit: {commands: {co: {run: co hook pre-commit}}}";

const DIFF_HELP: &str = "SOURCE is an archive (- for standard input), a folder, the remote (origin), or a commit as git names it (HEAD~3). For an\narchive or folder it shows what `co identity import` would change, from the same engine; for the remote what a sync\nwould bring; for a commit what changed here since. Exit 1 with --exit-code when something differs.";

const IMPORT_HELP: &str = "SOURCE is an archive that `co identity export` wrote, a folder, or - for an archive on standard input.\n\n--merge (the default) joins: the same fact is kept once, different facts are all kept, of a profile field the later one\nwins, personality and traits are taken as they come in. What was forgotten here stays forgotten. --replace takes the\nsource in place of what is here. Either way `co identity undo` takes it back.";

/// `co identity diff`
#[derive(Args, Debug)]
pub struct Diff {
    /// What to compare with
    pub source: Option<String>,
    /// As `import --replace` would change it
    #[arg(long)]
    pub replace: bool,
    /// As `import --restore-forgotten` would change it
    #[arg(long, conflicts_with = "replace")]
    pub restore_forgotten: bool,
    /// One line per file
    #[arg(long, conflicts_with = "patch")]
    pub stat: bool,
    /// The files line by line, as `git diff` prints them
    #[arg(short = 'p', long)]
    pub patch: bool,
    /// Exit 1 when something differs
    #[arg(long)]
    pub exit_code: bool,
    /// Do not page, even on a terminal
    #[arg(long)]
    pub no_pager: bool,
}

/// `co identity import`
#[derive(Args, Debug)]
pub struct Import {
    /// An archive, a folder, or `-`
    pub source: String,
    /// Join with what is here (the default)
    #[arg(long, conflicts_with = "replace")]
    pub merge: bool,
    /// Take it in place of what is here
    #[arg(long)]
    pub replace: bool,
    /// Also take facts that were forgotten here
    #[arg(long, conflicts_with = "replace")]
    pub restore_forgotten: bool,
    /// Choose fact by fact
    #[arg(long, conflicts_with = "yes")]
    pub select: bool,
    /// Only show what would change
    #[arg(long)]
    pub dry_run: bool,
    /// Agree to all of it
    #[arg(short, long)]
    pub yes: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: super::Allow,
}

/// `co identity export`
#[derive(Args, Debug)]
pub struct Export {
    /// The file or folder to write
    pub path: Option<String>,
    /// An archive, or a plain folder
    #[arg(long, value_enum, default_value = "tar.gz")]
    pub format: ExportFormat,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: super::Allow,
}

/// The forms of an export.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// One gzipped tar archive.
    #[value(name = "tar.gz")]
    TarGz,
    /// A folder.
    Dir,
}

/// `co identity restore`
#[derive(Args, Debug)]
pub struct Restore {
    /// Files or folders of the identity
    #[arg(required = true)]
    pub paths: Vec<String>,
    /// The commit to take them from
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub from: String,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: super::Allow,
}

/// `co identity check`
#[derive(Args, Debug)]
pub struct Check {
    /// Only these files or folders of the identity
    pub paths: Vec<String>,
    /// Mend what can be mended
    #[arg(long, conflicts_with_all = ["staged", "history"])]
    pub fix: bool,
    /// What the next `git commit` would commit, instead of the files
    #[arg(long, conflicts_with = "history")]
    pub staged: bool,
    /// Every version in every commit, instead of the files
    #[arg(long)]
    pub history: bool,
    /// Fail on warnings, too
    #[arg(long)]
    pub strict: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: super::Allow,
}

/// `co identity sync`
#[derive(Args, Debug)]
pub struct Sync {
    /// Let facts go for good whose files were removed without `co forget`
    #[arg(long)]
    pub accept_deletions: bool,
    /// Fail (exit 8) when the remote cannot be reached
    #[arg(long)]
    pub require_remote: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: super::Allow,
}
