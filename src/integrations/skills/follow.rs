//! Places the agreed skills of the identity where agents look for them, and removes those that it
//! has no more.
//!
//! Invariant: what is not co's is never written over nor removed. Until a person agrees to a new
//! version, agents keep the one that was agreed to before; but what the person removed is gone,
//! also if a layer has another of its name. A failure concerns one skill in one folder, and is
//! told. While another identity stands in for the person's own in some places, nothing of either is
//! placed.

use super::{
    list::waiting,
    placed::{holds, is_edited, read_as},
    record::{CopiedSkill, Record, Root, is_our_link},
};
use crate::agents::{self, Agent};
use crate::identity::{
    kind::SKILLS,
    skill::{self, Skill},
};
use crate::machine::{Context, context::IdentitySource, files, folder, lock, oplog::OpVerb};
use crate::workspace::{
    Error, Workspace, agent_places, layers, skills,
    transaction::{self, PlacedAs, Unrecorded},
};
use serde::Serialize;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

/// How long to wait for another co that places skills.
const WAIT: Duration = Duration::from_secs(10);
/// Read by agents of many vendors.
const SHARED: &str = ".agents/skills";
/// Agents look into their folders wherever they work.
const APART: &str = "while another identity stands in for yours in some places, agents' folders \
    have skills of neither";

/// What became of the folders of agents.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Followed {
    /// Skills that agents find from now on, or in a new version.
    pub placed: BTreeSet<String>,
    /// Skills that they find no more.
    pub removed: BTreeSet<String>,
    /// Sound skills that wait for the person.
    pub waiting: Vec<String>,
    /// Skills that an agent here changed in place, which nobody has adopted.
    pub edited: BTreeSet<String>,
    /// What was left alone, and why.
    pub notes: Vec<String>,
}

/// Lets these agents find the person's skills, now and after every sync.
pub fn install(ws: &Workspace, names: &[&str]) -> Result<Followed, Error> {
    let store = ws.identity()?;
    let _lock = locked(ws)?;
    let mut record = Record::read(ws);
    for name in names {
        let Some(agent) = agents::find(name) else { continue };
        for place in places(ws, agent) {
            add_root(&mut record, place, agent);
        }
    }
    record.write(ws)?;
    ws.note_operation(store, OpVerb::Install, format!("skills for {}", names.join(", ")));
    let mut done = with_record(ws, record);
    if layers::has_stand_in(ws) && done.removed.is_empty() {
        done.notes.push(APART.to_owned());
    }
    Ok(done)
}

/// Takes co's skills out of the folders that only these agents read; of all for no names.
pub fn uninstall(ws: &Workspace, names: &[String]) -> Result<Followed, Error> {
    if Record::read(ws).roots.is_empty() {
        return Ok(Followed::default());
    }
    let _lock = locked(ws)?;
    let mut record = Record::read(ws);
    let mut done = Followed::default();
    for root in &mut record.roots {
        root.agents.retain(|agent| !is_among(agent, names));
    }
    let (gone, left): (Vec<Root>, Vec<Root>) =
        std::mem::take(&mut record.roots).into_iter().partition(|root| root.agents.is_empty());
    record.roots = left;
    for root in &gone {
        for name in ours_in(ws, &record, &root.folder) {
            take_away(ws, &mut record, (&root.folder, &name), &mut done);
        }
        root.made.iter().for_each(|folder| files::remove_empty(folder));
    }
    record.write(ws)?;
    Ok(done)
}

/// Whether co places skills for one of these agents; for any, for no names.
pub fn are_placed(context: &Context, names: &[String]) -> bool {
    let record = Record::read(context);
    record.roots.iter().flat_map(|root| &root.agents).any(|agent| is_among(agent, names))
}

fn is_among(agent: &str, names: &[String]) -> bool {
    let is_it = |name: &String| agents::find(name).is_some_and(|known| known.name == agent);
    names.is_empty() || names.iter().any(is_it)
}

/// After the identity or an agreement changed.
pub fn follow(ws: &Workspace) -> Followed {
    let record = Record::read(ws);
    let store = ws.identity_place();
    // A folder that is not there has lost no skill.
    let is_mine = !is_of_another(ws, &record) && files::is_dir(&store.root);
    if record.roots.is_empty() || !(is_mine || layers::has_stand_in(ws)) {
        let waiting = waiting(ws, &skills::offered(ws, store));
        return Followed { waiting, ..Followed::default() };
    }
    match locked(ws) {
        Ok(_lock) => with_record(ws, Record::read(ws)),
        Err(error) => Followed { notes: vec![error.to_string()], ..Followed::default() },
    }
}

/// Whether the skills of another identity are placed: not if that one was moved here.
fn is_of_another(ws: &Workspace, record: &Record) -> bool {
    let source = ws.identity.source;
    let is_for_once = matches!(
        source,
        IdentitySource::Flag | IdentitySource::Environment | IdentitySource::Layer
    );
    record.identity != ws.identity_place().root && (is_for_once || files::is_dir(&record.identity))
}

fn locked(context: &Context) -> Result<lock::Lock, Error> {
    let folder = skills::agreed_folder(context);
    files::make_dir(&folder)?;
    Ok(lock::folder(&folder, WAIT)?)
}

/// The shared folder, and the one that this agent reads.
fn places(context: &Context, agent: &Agent) -> Vec<PathBuf> {
    let shared = SHARED.split('/').fold(context.home.clone(), |folder, part| folder.join(part));
    let own = agent.skills.as_ref().map(|place| agent_places::resolve(context, place));
    std::iter::once(shared).chain(own).collect()
}

/// Two names of one folder are one root.
fn add_root(record: &mut Record, place: PathBuf, agent: &Agent) {
    let real = files::resolve(&place);
    let known = record.roots.iter_mut().find(|root| files::resolve(&root.folder) == real);
    if let Some(root) = known {
        if !root.agents.iter().any(|name| name == agent.name) {
            root.agents.push(agent.name.to_owned());
        }
        return;
    }
    let made = place.ancestors().take_while(|folder| !files::exists(folder));
    let made = made.map(Path::to_owned).collect();
    record.roots.push(Root { folder: place, agents: vec![agent.name.to_owned()], made });
}

fn with_record(ws: &Workspace, mut record: Record) -> Followed {
    let (before, is_apart) = (record.clone(), layers::has_stand_in(ws));
    if !is_apart {
        record.identity.clone_from(&ws.identity_place().root);
    }
    let kept = skills::all(ws, ws.identity_place());
    let own = kept.iter().filter(|one| one.layer.is_none()).map(|one| one.skill.name.clone());
    // One that cannot be read at the moment is not gone.
    let closed = before.own.iter().filter(|name| has_text(ws, name)).cloned();
    record.own = own.chain(closed).collect();
    let all: Vec<Skill> = kept.into_iter().map(|one| one.skill).collect();
    let waiting = waiting(ws, &all);
    let mut done = Followed { waiting, ..Followed::default() };
    let mine: &[Skill] = if is_apart { &[] } else { &all };
    let names: BTreeSet<&str> = mine.iter().map(|skill| skill.name.as_str()).collect();
    let is_agreed = |skill: &&Skill| skill.faults().is_empty() && skills::is_agreed(ws, skill);
    let agreed: Vec<&Skill> = mine.iter().filter(is_agreed).collect();
    let folders: Vec<PathBuf> = record.roots.iter().map(|root| root.folder.clone()).collect();
    for folder in &folders {
        for name in ours_in(ws, &record, folder) {
            let is_dangling = !files::is_there(&folder.join(&name));
            let is_removed = before.own.contains(&name) && !record.own.contains(&name);
            let is_kept = names.contains(name.as_str()) || (!is_apart && has_text(ws, &name));
            if !is_kept || is_dangling || is_removed {
                take_away(ws, &mut record, (folder, &name), &mut done);
            }
        }
        for skill in &agreed {
            if let Err(why) = place(ws, &mut record, (folder, skill), &mut done) {
                done.notes.push(why);
            }
        }
        let mut ours = ours_in(ws, &record, folder);
        ours.retain(|name| is_edited(ws, &record, &folder.join(name)));
        done.edited.extend(ours);
    }
    if record != before
        && let Err(error) = record.write(ws)
    {
        done.notes.push(error.to_string());
    }
    // What was placed again was not removed.
    done.removed = done.removed.difference(&done.placed).cloned().collect();
    if is_apart && !done.removed.is_empty() {
        done.notes.push(APART.to_owned());
    }
    done
}

fn has_text(ws: &Workspace, name: &str) -> bool {
    let folder = ws.identity_place().root.join(SKILLS.trim_end_matches('/'));
    files::exists(&folder.join(name).join(skill::FILE))
}

/// The names in a folder that co placed.
fn ours_in(context: &Context, record: &Record, folder: &Path) -> Vec<String> {
    let mut names = files::names(folder);
    names.retain(|name| record.is_ours(context, &folder.join(name)));
    names
}

/// Places one skill in one folder, unless it is there in this version.
fn place(
    ws: &Workspace,
    record: &mut Record,
    (folder, skill): (&Path, &Skill),
    done: &mut Followed,
) -> Result<(), String> {
    let at = folder.join(&skill.name);
    let agreed = skills::copy_of(ws, skill.hash(), &skill.name);
    let hash = skill.hash().hex();
    if is_our_link(ws, &at) {
        // What an agent changed there stays in use until somebody adopts it, and is told.
        if files::link_target(&at).as_ref() == Some(&agreed) || is_edited(ws, record, &at) {
            return Ok(());
        }
    } else if let Some(copy) = record.copy_at(&at).filter(|_| record.is_ours(ws, &at)) {
        if copy.hash == hash {
            return Ok(());
        }
        refuse_edited(ws, &at, &copy.hash)?;
        take_away(ws, record, (folder, &skill.name), done);
    } else if files::exists(&at) {
        // The shared folder may be a link to this one.
        if files::resolve(&at) == files::resolve(&agreed) || holds(&at, skill) {
            return Ok(());
        }
        return Err(format!("{} is not co's: it was left unchanged", ws.shown(&at)));
    }
    let placed = transaction::place_skill(Unrecorded::AgreedSkill, (skill, &agreed), &at);
    let placed = placed.map_err(|error| error.to_string())?;
    if placed == PlacedAs::Copy {
        record.copies.retain(|copy| copy.at != at);
        record.copies.push(CopiedSkill { at, hash });
    }
    done.placed.insert(skill.name.clone());
    Ok(())
}

/// A copy in which somebody changed something is theirs: also one with a repository, or with what
/// cannot be read, which would be removed with it.
fn refuse_edited(ws: &Workspace, at: &Path, hash: &str) -> Result<(), String> {
    let name = at.file_name().unwrap_or_default().to_string_lossy();
    let is_whole = folder::read(at).findings.is_empty() && !files::exists(&at.join(".git"));
    if is_whole && read_as(at, &name).hash().hex() == hash {
        return Ok(());
    }
    Err(format!("{} was edited there, so it was left unchanged", ws.shown(at)))
}

fn take_away(
    ws: &Workspace,
    record: &mut Record,
    (folder, name): (&Path, &str),
    done: &mut Followed,
) {
    let at = folder.join(name);
    let copy = record.copy_at(&at).map(|copy| copy.hash.clone());
    let placed = match &copy {
        Some(hash) if !files::is_link(&at) => {
            if let Err(why) = refuse_edited(ws, &at, hash) {
                record.copies.retain(|copy| copy.at != at);
                done.notes.push(why);
                return;
            }
            PlacedAs::Copy
        }
        _ => PlacedAs::Link,
    };
    match transaction::take_skill_away(Unrecorded::AgreedSkill, &at, placed) {
        Ok(()) => {
            record.copies.retain(|copy| copy.at != at);
            done.removed.insert(name.to_owned());
        }
        Err(error) => done.notes.push(error.to_string()),
    }
}
