//! Resolves the paths of the agent table on this machine (environment variables, home, PATH).

use crate::agents::{
    Agent, Command, EnvPath, HERE, Instructions, PluginSign, State, hooks::Hooks, part::Part, words,
};
use crate::machine::{Context, context::IdentitySource, files, program};
use std::{collections::BTreeMap, path::PathBuf};

/// A path on this machine.
pub fn resolve(context: &Context, place: &EnvPath) -> PathBuf {
    let named = place.variable.and_then(|name| context.env(name)).map(PathBuf::from);
    let folder =
        named.filter(|folder| folder.is_absolute()).unwrap_or_else(|| match place.otherwise {
            HERE => context.cwd.clone(),
            otherwise => context.expand(otherwise, &context.home),
        });
    let below = place.path.split('/').filter(|part| !part.is_empty());
    below.fold(folder, |folder, part| folder.join(part))
}

/// The agent's program, if it is on the PATH.
fn program_of(context: &Context, agent: &Agent) -> Option<PathBuf> {
    let path = context.env("PATH")?;
    agent.programs.iter().find_map(|name| program::find(name, path))
}

pub fn is_installed(context: &Context, agent: &Agent) -> bool {
    agent.signs.iter().any(|sign| files::exists(&resolve(context, sign)))
        || program_of(context, agent).is_some()
}

/// Whether the agent has co as a plugin of its own.
pub fn has_plugin(context: &Context, agent: &Agent) -> bool {
    match &agent.plugin {
        None => false,
        Some(PluginSign::Folder(place)) => files::is_dir(&resolve(context, place)),
        Some(PluginSign::Enabled(place)) => {
            let text =
                files::read_text(&resolve(context, place)).ok().flatten().unwrap_or_default();
            let settings: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            let plugins = settings["enabledPlugins"].as_object().into_iter().flatten();
            plugins.into_iter().any(|(name, is_on)| name.starts_with("co@") && *is_on == true)
        }
    }
}

/// A file that a part goes into, and the text that a new one starts with.
#[derive(Clone, Debug)]
pub struct Target {
    pub file: PathBuf,
    pub head: &'static str,
}

/// A file that the agent already reads, and why it needs none of its own.
#[derive(Clone, Debug)]
pub struct SharedFile {
    pub file: PathBuf,
    pub why: String,
}

/// Where a part goes, or which shared file is read; `None` if the agent has no such part.
pub fn target(context: &Context, agent: &Agent, part: Part) -> Option<Result<Target, SharedFile>> {
    let plain = |file: PathBuf| Some(Ok(Target { file, head: "" }));
    match part {
        Part::Server => {
            // To find out the command, each folder of the PATH is looked into: only where there is
            // something to compare.
            let has_co = |file: &PathBuf| {
                let text = files::read_text(file).ok().flatten().unwrap_or_default();
                let state = || agent.server.state(&text, &command(context));
                !text.is_empty() && matches!(state(), Ok(State::Current | State::Stale))
            };
            plain(one_of(context, agent.server.files, has_co)?)
        }
        Part::Skill => {
            let folder = resolve(context, agent.skills.as_ref()?);
            let file = folder.join(words::SKILL_NAME).join("SKILL.md");
            Some(Ok(Target { file, head: words::SKILL_HEAD }))
        }
        Part::Hooks => plain(hooks_file(context, agent.hooks.as_ref()?)?),
        Part::Counting => {
            let hooks = agent.hooks.as_ref().filter(|hooks| !hooks.tools.is_empty())?;
            plain(hooks_file(context, hooks)?)
        }
        Part::Instructions => instructions(context, agent),
    }
}

/// The other file that some sources name for a part, if its folder is there.
pub fn also(context: &Context, agent: &Agent, part: Part) -> Option<Target> {
    let file = resolve(context, agent.also(part)?);
    file.parent().is_some_and(files::is_dir).then_some(Target { file, head: "" })
}

/// Every file that a part goes into.
pub fn targets(context: &Context, agent: &Agent, part: Part) -> Vec<Target> {
    let first = target(context, agent, part).and_then(Result::ok);
    first.into_iter().chain(also(context, agent, part)).collect()
}

/// The file with an agent's hooks.
pub fn hooks_file(context: &Context, hooks: &Hooks) -> Option<PathBuf> {
    one_of(context, hooks.files, |_| false)
}

/// Of several files, the one that has co already, or is there, or whose folder is.
fn one_of(
    context: &Context,
    places: &[EnvPath],
    has_co: impl Fn(&PathBuf) -> bool,
) -> Option<PathBuf> {
    let all: Vec<PathBuf> = places.iter().map(|place| resolve(context, place)).collect();
    if let [only] = all.as_slice() {
        return Some(only.clone());
    }
    let has_folder = |file: &PathBuf| file.parent().is_some_and(files::is_dir);
    let first = |fits: &dyn Fn(&PathBuf) -> bool| all.iter().find(|file| fits(file));
    let there = first(&has_co).or_else(|| first(&|file: &PathBuf| files::exists(file)));
    there.or_else(|| first(&has_folder)).or(all.first()).cloned()
}

fn instructions(context: &Context, agent: &Agent) -> Option<Result<Target, SharedFile>> {
    let plain = |place: &EnvPath| Target { file: resolve(context, place), head: "" };
    Some(match &agent.instructions {
        Instructions::None => return None,
        Instructions::Shared(place) => Ok(plain(place)),
        Instructions::Own(place, head) => Ok(Target { file: resolve(context, place), head }),
        Instructions::Overridden(place, other) => {
            let wins = files::size(&resolve(context, other)) > 0;
            Ok(plain(if wins { other } else { place }))
        }
        Instructions::Hiding(place, other) => {
            let (own, read) = (resolve(context, place), resolve(context, other));
            if !files::exists(&own) && files::exists(&read) {
                let why = format!(
                    "{} reads {} as long as {} does not exist, so co did not create it",
                    agent.title,
                    context.shown(&read),
                    context.shown(&own)
                );
                Err(SharedFile { file: read, why })
            } else {
                Ok(plain(place))
            }
        }
    })
}

/// The command with which agents start this co. They do not pass on the environment, so non-default
/// locations of the settings and the identity are set explicitly.
pub fn command(context: &Context) -> Command {
    let mut env = BTreeMap::new();
    if !context.has_default_config_dir() {
        env.insert("CO_CONFIG_DIR".to_owned(), context.config_dir.display().to_string());
    }
    if matches!(context.identity.source, IdentitySource::Environment | IdentitySource::Flag) {
        let path = context.identity.path.display().to_string();
        env.insert("CO_IDENTITY_PATH".to_owned(), path);
    }
    Command { program: program(context).display().to_string(), env }
}

/// The path through which a person runs this program, if it leads here: it stays valid when the
/// target of a symlink is replaced by a new version.
fn program(context: &Context) -> PathBuf {
    let on_path = context.env("PATH").and_then(|path| program::find("co", path));
    let is_this = |found: &PathBuf| files::resolve(found) == files::resolve(&context.program);
    on_path.filter(is_this).unwrap_or_else(|| context.program.clone())
}
