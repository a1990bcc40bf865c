//! Consent options and prompts shared by all importing verbs.
//!
//! Invariant: without `--yes` and without a person to ask, nothing is agreed to. Must not know:
//! where the facts come from.

use super::{
    args::Allow,
    failure::Failure,
    output,
    prompt::{self, OfSeveral},
    style::plural,
};
use crate::foreign::{Said, said};
use crate::identity::{Kind, RelPath, Role};
use crate::merge::import::{ImportGroup, ImportItem};
use crate::transfer::import::{self, Plan};
use clap::Args;
use std::collections::VecDeque;

/// Consent options of importing verbs.
#[derive(Args, Debug)]
pub struct Agreement {
    /// Choose fact by fact
    #[arg(long, conflicts_with = "yes")]
    pub select: bool,
    /// Only show what would change
    #[arg(long)]
    pub dry_run: bool,
    /// Accept everything
    #[arg(short, long)]
    pub yes: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Agreement {
    /// The part of the plan that is agreed to; a person reads `shown` before the questions.
    pub(super) fn to(
        &self,
        plan: Plan,
        asks: bool,
        shown: impl FnOnce(&Plan) -> Said,
    ) -> Result<Plan, Failure> {
        if self.yes {
            return Ok(plan);
        }
        if !asks {
            return Err(import::needs_agreement().into());
        }
        output::say(&said!("{}\n", shown(&plan)));
        let items = plan.items();
        // What co keeps for itself is no question of its own.
        if items.is_empty() {
            return Ok(plan);
        }
        let agreed = if self.select {
            prompt::facts(&items, |item| plan.is_rejected(item))?
        } else {
            agreed_groups(&items)?
        };
        if agreed.is_empty() {
            return Err(prompt::declined());
        }
        Ok(if agreed.len() < items.len() { plan.only(&agreed) } else { plan })
    }
}

/// What a person accepts or declines together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Facts,
    Documents,
    Profile,
    Traits,
    Notes,
    Skills,
    Others,
}

impl Class {
    const ALL: [Class; 7] = [
        Class::Facts,
        Class::Documents,
        Class::Profile,
        Class::Traits,
        Class::Notes,
        Class::Skills,
        Class::Others,
    ];

    fn of(path: &RelPath) -> Class {
        match (path.role(), path.kind()) {
            (Role::Fact, _) => Class::Facts,
            (Role::Document | Role::Original, _) => Class::Documents,
            (Role::Persona, Kind::Trait) => Class::Traits,
            (Role::Persona, Kind::Profile | Kind::ProfilePart | Kind::Personality) => {
                Class::Profile
            }
            (Role::Note, _) => Class::Notes,
            (Role::Skill, _) => Class::Skills,
            _ => Class::Others,
        }
    }

    /// How many there are of it, `others` beside others.
    fn counted(self, paths: &[&RelPath], others: bool) -> Said {
        let count = paths.len();
        match self {
            Class::Facts => plural(count, "fact", "facts"),
            Class::Documents => {
                let is_original = |path: &&&RelPath| path.role() == Role::Original;
                let originals = paths.iter().filter(is_original).count();
                let told = [
                    (count - originals, plural(count - originals, "document", "documents")),
                    (originals, plural(originals, "original", "originals")),
                ];
                let told = told.into_iter().filter(|(count, _)| *count > 0);
                Said::joined(told.map(|(_, words)| words), " and ")
            }
            Class::Profile => plural(count, "file of your profile", "files of your profile"),
            Class::Traits => plural(count, "trait", "traits"),
            Class::Notes => plural(count, "note of an agent", "notes of agents"),
            Class::Skills => plural(count, "file of a skill", "files of skills"),
            Class::Others if others => plural(count, "other file", "other files"),
            Class::Others => plural(count, "file", "files"),
        }
    }
}

/// How many of each class there are, in the words of the questions; `others` beside something else.
pub(super) fn counted(paths: &[&RelPath], others: bool) -> Vec<Said> {
    let mut told: Vec<Said> = Vec::new();
    for class in Class::ALL {
        let of_class = paths.iter().filter(|path| Class::of(path) == class);
        let of_class: Vec<&RelPath> = of_class.copied().collect();
        if !of_class.is_empty() {
            told.push(class.counted(&of_class, others || !told.is_empty()));
        }
    }
    told
}

fn agreed_groups(items: &[ImportItem]) -> Result<Vec<ImportItem>, Failure> {
    let of_group = |group, verb| {
        let all = questions(items, group, verb).into_iter();
        all.map(move |(question, items)| (group, question, items))
    };
    let mut questions: VecDeque<(ImportGroup, Said, Vec<ImportItem>)> =
        of_group(ImportGroup::Learned, "Import")
            .chain(of_group(ImportGroup::Changed, "Change"))
            .chain(of_group(ImportGroup::Removed, "Remove"))
            .collect();
    let (mut agreed, mut all) = (Vec::new(), false);
    while let Some((group, question, items)) = questions.pop_front() {
        let has_more = questions.iter().any(|(group, ..)| *group != ImportGroup::Removed);
        let yes = match group {
            // Whoever takes all of it does not lose anything unasked.
            ImportGroup::Removed => prompt::confirm_loss(question)?,
            _ if all => true,
            _ if !has_more => prompt::confirm(question)?,
            _ => match prompt::confirm_or_all(question)? {
                OfSeveral::This(yes) => yes,
                OfSeveral::All => {
                    all = true;
                    true
                }
            },
        };
        if yes {
            agreed.extend(items);
        }
    }
    Ok(agreed)
}

/// One question for each class, with the name of what is alone.
fn questions(items: &[ImportItem], group: ImportGroup, verb: &str) -> Vec<(Said, Vec<ImportItem>)> {
    let of_group: Vec<&ImportItem> = items.iter().filter(|item| item.group == group).collect();
    let class_of = |item: &ImportItem| item.paths.first().map_or(Class::Others, Class::of);
    let mut questions = Vec::new();
    for class in Class::ALL {
        let of_class: Vec<ImportItem> = of_group
            .iter()
            .filter(|item| class_of(item) == class)
            .map(|item| (*item).clone())
            .collect();
        let what = match of_class.as_slice() {
            [] => continue,
            [one] if class != Class::Facts => said!("{}", one.summary),
            several => {
                let paths: Vec<&RelPath> =
                    several.iter().filter_map(|item| item.paths.first()).collect();
                class.counted(&paths, of_group.len() > several.len())
            }
        };
        questions.push((said!("{} {}", verb, what), of_class));
    }
    questions
}
