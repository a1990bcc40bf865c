//! `co init`: arguments and output. The verb is `transfer::init`.

use super::{
    agent,
    explain::explain,
    failure::{Exit, Failure},
    identity::sync_text::synced,
    output::{self, Output},
    progress::{Steps, announced, waiting},
    prompt,
    remotes::{PUBLIC, identity_of, in_spite_of_key, password_in},
    seal::key,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::git::{url, without_credentials};
use crate::identity::templates::InitAnswers;
use crate::integrations::{
    agent::install::{self as connecting, Hooks, Plan},
    git_hooks,
};
use crate::machine::Context;
use crate::sync;
use crate::transfer::init;
use clap::Args;

/// `co init`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  co init                                   create one, asking a few \
        questions\n  co init git@github.com:me/identity.git    clone yours to this laptop\n  co init ~/Dropbox/co-identity             use a folder that another program syncs"
)]
pub struct Init {
    /// The URL of your identity's repository, or a folder to use as the identity
    #[arg(value_name = "URL|DIR")]
    pub target: Option<String>,
    /// Your name, for the profile
    #[arg(long)]
    pub name: Option<String>,
    /// Your time zone, e.g. Europe/Berlin
    #[arg(long, value_name = "ZONE")]
    pub timezone: Option<String>,
    /// The git remote of a new identity
    #[arg(long, value_name = "URL")]
    pub remote: Option<String>,
    /// Also install the merge driver and the git hooks (`co hook install`)
    #[arg(long)]
    pub hooks: bool,
    /// Also connect the agents that are installed here (`co agent install --all`)
    #[arg(long)]
    pub agents: bool,
    /// Read the recovery key or passphrase of a sealed remote from a file, `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub key: Option<String>,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
}

impl Verb for Init {
    fn name(&self) -> &'static str {
        "init"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let mut request = init::Request {
            target: self.target,
            answers: InitAnswers::of(self.name, self.timezone),
            remote: self.remote,
            key: key::named(cli, self.key.as_deref())?,
            ..init::Request::default()
        };
        let found = connectable(cli, Hooks::AsTheyAre);
        let found_titles = found.as_ref().map(titles);
        let mut beside = Beside { hooks: self.hooks, agents: found };
        let mut plan = planned(cli, &mut request)?;
        if !self.yes {
            (plan, beside) = agreed(cli, &mut request, plan, beside, self.agents)?;
        } else if !self.agents {
            beside.agents = None;
        }
        let steps = Steps::new(cli);
        let applied = init::apply(cli.ws, &plan, &|step| steps.at(step));
        steps.end();
        let report = applied?;
        let left_alone = if beside.hooks { install_hooks(cli, &plan)? } else { Vec::new() };
        let (connected, of_agents) =
            beside.agents.as_ref().map_or_else(Default::default, |plan| agent::connect(cli, plan));
        // The person asked for an identity without a remote; the report says what to do next.
        let of_sync = report.sync.iter().filter(|sync| sync.remote.is_some());
        let mut warnings: Vec<String> = of_sync.flat_map(|sync| sync.warnings.clone()).collect();
        // Those that the sync named with others are named here.
        warnings.retain(|warning| !report.stay.contains(warning));
        warnings.extend(sync::some_that_stay(&report.stay));
        warnings.extend(left_alone);
        warnings.extend(of_agents);
        warnings.extend(plan.remote.iter().flat_map(|url| password_in(url)));
        warnings.extend(plan.remote.iter().filter_map(|url| in_spite_of_key(cli.ws, url)));
        warnings.extend((plan.is_public && self.yes).then(|| PUBLIC.to_owned()));
        let stayed = report.sync.as_ref().and_then(sync::Report::stayed_behind).map(Failure::from);
        let asked = !self.yes;
        let ending = stayed.or_else(|| not_published(&report).filter(|_| !asked)).into();
        warnings.extend(not_published(&report).filter(|_| asked).map(|why| why.message));
        let mut text = initialised(&report, cli.ws, cli.style);
        if !connected.is_empty() {
            text.push(said!(
                "Connected: {}. Start a session and ask: what do you know about me?\n",
                connected.join(", ")
            ));
        } else if let Some(titles) = found_titles.filter(|_| self.yes && beside.agents.is_none()) {
            text.push(said!(
                "Not connected yet: {}. `co agent install --all --hooks` connects what is found \
                 here.\n",
                titles
            ));
        }
        Ok(Output { warnings, ending, ..Output::done(text, report) })
    }
}

/// What is set up besides the identity, if the person agrees.
struct Beside {
    hooks: bool,
    agents: Option<Plan>,
}

/// What connecting the installed agents would change; `None` if nothing.
fn connectable(cli: &Cli<'_>, hooks: Hooks) -> Option<Plan> {
    let request = connecting::Request { hooks, ..connecting::Request::default() };
    let plan = connecting::plan(cli.ws, &request).ok()?;
    (!plan.files.is_empty()).then_some(plan)
}

/// The same agents, with hooks if they have any and the person wants them.
fn with_hooks(cli: &Cli<'_>, agents: Plan) -> Result<Plan, Failure> {
    let Some(hooked) = connectable(cli, Hooks::With) else { return Ok(agents) };
    if hooked.files == agents.files {
        return Ok(agents);
    }
    let question = "Use hooks to start their sessions with your context";
    Ok(if prompt::confirm(question)? { hooked } else { agents })
}

fn titles(plan: &Plan) -> Said {
    let all: Vec<&str> =
        plan.agents.iter().filter(|one| one.changes).map(|one| one.title).collect();
    said!("{}", all.join(", "))
}

fn planned(cli: &Cli<'_>, request: &mut init::Request) -> Result<init::Plan, Failure> {
    const MESSAGE: &str = "Checking what is there…";
    loop {
        let plan = || init::plan(cli.ws, request);
        if request.target.is_none() && request.remote.is_none() {
            return Ok(waiting(cli, MESSAGE, plan)?);
        }
        match announced(cli, MESSAGE, plan) {
            Err(error) if request.key.is_none() && cli.asks && init::is_sealed(&error) => {
                let url = request.target.as_ref().or(request.remote.as_ref());
                request.key =
                    Some(key::asked_to_keep(cli, url.map_or("the remote", String::as_str))?);
            }
            other => return Ok(other?),
        }
    }
}

/// Hooks that other repositories also have are left to a separate command. Returns what was left
/// alone.
fn install_hooks(cli: &Cli<'_>, plan: &init::Plan) -> Result<Vec<String>, Failure> {
    let moved = cli.ws.elsewhere(&plan.identity);
    let mut installed = git_hooks::plan(&moved, git_hooks::HookSetup::Install)?;
    let mut left_alone = std::mem::take(&mut installed.left_alone);
    if installed.shared_hooks {
        installed = installed.without_hooks();
        left_alone = vec![String::from(
            "core.hooksPath points to hooks that all your repositories share; they were left \
             unchanged (`co hook install` adds the check, for this identity only)",
        )];
    }
    git_hooks::apply(&moved, &installed)?;
    Ok(left_alone)
}

/// A new identity whose remote refused it: it is ready here, but not everything was done.
fn not_published(report: &init::Report) -> Option<Failure> {
    let why = report.unpublished.as_ref()?;
    let failure = Failure { message: format!("not pushed yet: {why}"), ..explain(why) };
    Some(failure.hint("the remote is saved: run `co sync` to push"))
}

/// The plan that the person agreed to, and what to set up besides.
fn agreed(
    cli: &Cli<'_>,
    request: &mut init::Request,
    mut plan: init::Plan,
    mut beside: Beside,
    named: bool,
) -> Result<(init::Plan, Beside), Failure> {
    if !cli.asks {
        let message = "`co init` asks before it writes, but there is no terminal to ask on";
        let target = request.target.as_ref().map_or_else(Said::new, |name| said!(" {}", name));
        return Err(Failure::new(Exit::Declined, message).hint(said!(
            "use `co init{} --yes` to skip the questions; `--name` and `--timezone` answer them",
            target
        )));
    }
    if !plan.existing && request.target.is_none() {
        output::say(&said!(
            "No identity yet. I will create one in {} (a git repository of markdown files).\n\n",
            cli.ws.shown(&plan.identity)
        ));
        prompt::first_day(cli, request)?;
        plan = planned(cli, request)?;
    }
    if let Some(agents) = beside.agents.take() {
        let question = said!("Connect these agents: {}", titles(&agents));
        let is_agreed = named || prompt::confirm(&question)?;
        beside.agents = is_agreed.then(|| with_hooks(cli, agents)).transpose()?;
    }
    let mut shown = init_plan(&plan, cli.ws, cli.err);
    let own = matches!(plan.repository, init::Repository::New | init::Repository::Own);
    let question = "Check facts before each commit";
    // If everything else exists, hooks need a separate `co hook install`.
    let asks = own && !shown.is_empty();
    beside.hooks = beside.hooks || (asks && prompt::confirm(question)?);
    if beside.hooks {
        let row = "hooks in the repository (to remove: `co hook uninstall`)";
        shown.push(said!("  {}{}\n", cli.err.learned("check   "), row));
    }
    if let Some(agents) = &beside.agents {
        shown.push(agent::summary(&agents.files, cli.ws, cli.err));
    }
    output::say(&said!("\n{}", shown));
    if !shown.is_empty() {
        prompt::agree("Proceed")?;
    }
    Ok((plan, beside))
}

fn init_plan(plan: &init::Plan, context: &Context, style: Style) -> Said {
    let mut text = Said::new();
    if let Some(beside) = &plan.beside {
        text.push(said!("{}\n", own_folder(beside, context)));
    }
    let mut row = |verb: &str, what: Said| {
        text.push(said!("  {}{}\n", style.learned(said!("{:<8}", verb)), what))
    };
    let url = plan.remote.as_deref().map(|url| without_credentials(url::shown(url)));
    let how = if plan.sealed.is_some() { ", sealed," } else { "" };
    match (&url, &plan.joins, &plan.unseen) {
        (Some(url), Some(whose), _) if plan.existing => {
            let whose = identity_of(whose);
            row("join", said!("{}{} contains {}; both become one identity", url, how, whose))
        }
        (Some(url), Some(whose), _) => {
            row("clone", said!("{}{} contains {}", url, how, identity_of(whose)));
            row("into", context.shown(&plan.identity).into());
        }
        (Some(url), None, Some(why)) => row("remote", said!("{}, not pushed yet: {}", url, why)),
        (Some(url), None, None) => row("remote", said!("{}, which is still empty", url)),
        (None, _, _) => {}
    }
    if plan.is_public {
        row("public", PUBLIC.into());
    }
    if !plan.create.is_empty() {
        let shown: Vec<&str> = plan.create.iter().map(String::as_str).collect();
        row(
            "create",
            said!(
                "{} ({} in {})",
                shown.join(", "),
                plural(plan.create.len(), "file", "files"),
                context.shown(&plan.identity)
            ),
        );
    }
    for (from, to) in &plan.adopt {
        row("adopt", said!("{} → {}", from, to));
    }
    match &plan.repository {
        init::Repository::New => row("git", "a new repository there".into()),
        init::Repository::Own => {}
        init::Repository::Inside(root) => {
            let root = context.shown(root);
            row("git", said!("committed separately in {}{}", root, publishing(&plan.pushes_to)))
        }
        init::Repository::Cloud(service) => {
            row("git", said!("none: {} syncs this folder, and would damage a repository", service))
        }
    }
    if plan.set_path {
        row("write", said!("{} (identity_path)", context.shown(&context.settings_file())));
    }
    text
}

/// What a commit in a larger repository means for its remote.
pub(super) fn publishing(upstream: &Option<sync::Upstream>) -> Said {
    match upstream {
        None => Said::new(),
        Some(sync::Upstream { url, own_commits: 0 }) => {
            said!(", and pushed to {}: anyone who can read that repository can read it", url)
        }
        Some(sync::Upstream { url, own_commits }) => said!(
            "; not pushed to {} yet: {} of yours would be pushed, too",
            url,
            plural(*own_commits, "commit", "commits")
        ),
    }
}

fn own_folder(beside: &init::Beside, context: &Context) -> Said {
    let folder = context.shown(&beside.folder);
    let names = beside.names.join(", ");
    let what = match beside.uncommitted {
        None => said!("{} contains other files ({})", folder, names),
        Some(0) => said!("{} is a git repository with other files ({})", folder, names),
        Some(count) => {
            said!(
                "{} is a git repository with other files ({}; {} not committed)",
                folder,
                names,
                count
            )
        }
    };
    said!("{}. co uses only a folder of its own there; your files and index stay unchanged.", what)
}

fn initialised(report: &init::Report, context: &Context, style: Style) -> Said {
    let c = report.counts;
    let holds = said!(
        "{}, {}, {}",
        plural(c.memories, "fact", "facts"),
        plural(c.traits, "trait", "traits"),
        plural(c.documents, "document", "documents")
    );
    if report.cloned {
        let whose =
            report.name.as_ref().map_or_else(|| Said::from("the"), |name| said!("{}'s", name));
        let lacks = match report.missing_secrets.as_slice() {
            [] => Said::new(),
            [one] => {
                said!(" 1 secret is missing on this laptop: {} (`co secret set {}`).", one, one)
            }
            [first, ..] => said!(
                " {} secrets are missing on this laptop: {} (`co secret set {}`).",
                report.missing_secrets.len(),
                report.missing_secrets.join(", "),
                first
            ),
        };
        return said!("{} Cloned {} identity: {}.{}\n", style.learned("✓"), whose, holds, lacks);
    }
    let published = report.sync.as_ref().is_some_and(|sync| sync.published);
    let and = if published { " and pushed" } else { "" };
    let place = context.shown(&report.plan.identity);
    if report.plan.existing && report.plan.create.is_empty() {
        // What happened to both identities when they were joined.
        let joined = report.sync.as_ref().filter(|_| report.plan.joins.is_some());
        let joined = joined.map_or_else(Said::new, |sync| synced(sync, style));
        let mark = style.learned("✓");
        return said!(
            "{} Your identity in {} is ready{}: {}.\n{}",
            mark,
            place,
            and,
            holds,
            joined
        );
    }
    let synced = report.sync.as_ref().and_then(|sync| sync.url.clone());
    let planned = report.plan.remote.as_deref();
    let url = synced.or_else(|| planned.map(|url| without_credentials(url::shown(url))));
    let next = match url {
        _ if matches!(report.plan.repository, init::Repository::Inside(_)) => {
            Said::from(", and on the other laptop, after cloning that repository, `co init DIR`")
        }
        Some(url) => said!(", and on the other laptop `co init {}`", url),
        None if matches!(report.plan.repository, init::Repository::Cloud(_)) => Said::from(
            ", and `co identity move DIR` to a folder elsewhere to sync it with git, too",
        ),
        None => Said::from(", and `co identity remote URL` to sync it with your other laptops"),
    };
    said!(
        "{} Your identity in {} is ready{}. Next: `co learn \"…\"`, `co status`{}.\n",
        style.learned("✓"),
        place,
        and,
        next
    )
}
