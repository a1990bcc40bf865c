//! Whether git carries a file to the other laptops: the one answer for every verb.
//!
//! Invariant: rules outside the identity keep back no file of a kind that co knows; the
//! `.gitignore` files inside it are its owner's wish.

use super::{GitError, Id, Repo, repo::During, repository_above};
use crate::identity::{Kind, RelPath, portable};
use crate::machine::Context;
use gix::bstr::{BString, ByteSlice};
use gix::index::entry::Mode;
use gix::worktree::stack::{State, state, state::ignore::Source};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where the rules are read: also those that a sparse checkout leaves out of the work tree.
pub(super) const SOURCE: Source = Source::WorktreeThenIdMappingIfNotSkipped;

/// The line of a `.gitignore` file that keeps a file back.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct IgnoreRule {
    pub file: PathBuf,
    pub line: usize,
    pub pattern: String,
}

impl IgnoreRule {
    /// `None` for a rule with `!`, which lets a file through.
    fn from_match(found: &gix::ignore::search::Match<'_>) -> Option<IgnoreRule> {
        (!found.pattern.is_negative()).then(|| IgnoreRule {
            file: found.source.map(std::path::Path::to_owned).unwrap_or_default(),
            line: found.sequence_number,
            pattern: found.pattern.to_string(),
        })
    }
}

/// What a rule keeps on this laptop: one file, or several below a folder that it ignores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Staying {
    /// With a trailing `/` for a folder.
    pub path: String,
    pub files: usize,
    pub rule: IgnoreRule,
}

/// Whether a person has to hear that a file stays on this laptop: not if nobody expects other
/// laptops to have such files, nor of the files with the rules.
fn is_worth_naming(path: &RelPath) -> bool {
    let is_usual = || portable::is_usually_ignored(path) || portable::machine_state(path).is_some();
    let may_be_others = matches!(path.kind(), Kind::Other | Kind::Skill);
    path.name() != ".gitignore" && !(may_be_others && is_usual())
}

/// What becomes of an untracked file; what git tracks, it carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Carried {
    Yes,
    /// Left by an editor or the system.
    Litter,
    No(IgnoreRule),
}

pub(super) struct Carrier<'a> {
    repo: &'a Repo,
    own: gix::worktree::Stack,
    outside: gix::AttributeStack<'a>,
    /// Of the ignored folders that were asked for, the rule for whatever is in them.
    folders: BTreeMap<String, Option<IgnoreRule>>,
}

impl Carrier<'_> {
    pub(super) fn carried(&mut self, path: &RelPath) -> Carried {
        if portable::is_litter(path) {
            return Carried::Litter;
        }
        if let Some(rule) = self.own_rule(path.as_str(), Mode::FILE) {
            return Carried::No(rule);
        }
        // What co writes has to reach the other laptops, whatever other folders ignore.
        if path.kind() != Kind::Other {
            return Carried::Yes;
        }
        self.outside_rule(path.as_str(), Mode::FILE).map_or(Carried::Yes, Carried::No)
    }

    fn own_rule(&mut self, path: &str, mode: Mode) -> Option<IgnoreRule> {
        let at = self.own.at_path(path, Some(mode), &self.repo.gix.objects).ok()?;
        IgnoreRule::from_match(&at.matching_exclude_pattern()?)
    }

    fn outside_rule(&mut self, path: &str, mode: Mode) -> Option<IgnoreRule> {
        let whole = format!("{}{path}", self.repo.prefix);
        let at = self.outside.at_path(whole.as_str(), Some(mode)).ok()?;
        IgnoreRule::from_match(&at.matching_exclude_pattern()?)
    }

    fn rule(&mut self, path: &str, mode: Mode) -> Option<IgnoreRule> {
        self.own_rule(path, mode).or_else(|| self.outside_rule(path, mode))
    }

    /// What a person is told about files that stay here. A folder is named once for all files that
    /// the rule for the whole folder keeps back; what another rule keeps back there is named by
    /// itself.
    pub(super) fn staying(&mut self, kept: &[(RelPath, IgnoreRule)]) -> Vec<Staying> {
        let mut groups: BTreeMap<(String, &IgnoreRule), Vec<&RelPath>> = BTreeMap::new();
        for (path, rule) in kept.iter().filter(|(path, _)| is_worth_naming(path)) {
            let name = self.folder_ignored_by(rule, path).unwrap_or_else(|| path.to_string());
            groups.entry((name, rule)).or_default().push(path);
        }
        let named = |((name, rule), paths): ((String, &IgnoreRule), Vec<&RelPath>)| Staying {
            path: if let [one] = paths.as_slice() { one.as_str().to_owned() } else { name },
            files: paths.len(),
            rule: rule.clone(),
        };
        groups.into_iter().map(named).collect()
    }

    /// The outermost ignored folder around a file in which this rule ignores everything, with a
    /// trailing `/`.
    fn folder_ignored_by(&mut self, rule: &IgnoreRule, path: &RelPath) -> Option<String> {
        let text = path.as_str();
        let mut ends = text.match_indices('/').map(|(end, _)| end);
        let end = ends.find(|end| self.is_folder_ignored_by(rule, &text[..*end]))?;
        Some(text[..=end].to_owned())
    }

    fn is_folder_ignored_by(&mut self, rule: &IgnoreRule, folder: &str) -> bool {
        if let Some(known) = self.folders.get(folder) {
            return known.as_ref() == Some(rule);
        }
        // The rule for a file of no particular name; a folder in a folder can have another.
        let any = format!("{folder}/-");
        let is_ignored = self.rule(folder, Mode::DIR).is_some();
        let found = if is_ignored { self.rule(&any, Mode::FILE) } else { None };
        let is_that = found.as_ref() == Some(rule);
        self.folders.insert(folder.to_owned(), found);
        is_that
    }
}

/// A repository around an identity that ignores it as a whole. In JSON, its root.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct IgnoredAround {
    pub root: PathBuf,
    /// The outermost ignored folder: the identity's own, or one around it.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The rule that ignores that folder.
    #[serde(skip)]
    pub rule: IgnoreRule,
}

/// The repository around an identity that ignores it as a whole.
pub fn ignored_around(context: &Context) -> Result<Option<IgnoredAround>, GitError> {
    let around = context.identity.resolved.parent().and_then(repository_above);
    let Some(root) = around else { return Ok(None) };
    let repo = Repo::open(&root, None, context)?;
    Ok(repo.rule_over_identity().map(|(folder, rule)| {
        let folder = repo.root.join(folder);
        IgnoredAround { root: repo.root, folder, rule }
    }))
}

impl Repo {
    /// The rule that keeps a whole identity out of the repository around it, and the outermost
    /// folder that it ignores; `None` if a file of the identity is tracked all the same.
    pub(super) fn rule_over_identity(&self) -> Option<(String, IgnoreRule)> {
        let index = self.gix.index_or_empty().ok()?;
        let tracked = index.prefixed_entries(self.prefix.as_bytes().as_bstr());
        if tracked.is_some_and(|entries| !entries.is_empty()) {
            return None;
        }
        let mut excludes = self.gix.excludes(&index, None, SOURCE).ok()?;
        let path = self.prefix.trim_end_matches('/');
        // git enters no ignored folder, whatever a rule says about what is in it.
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        ends.map(|end| &path[..end]).find_map(|folder| {
            let at = excludes.at_path(folder, Some(Mode::DIR)).ok();
            let rule = at.and_then(|at| IgnoreRule::from_match(&at.matching_exclude_pattern()?))?;
            Some((folder.to_owned(), rule))
        })
    }

    pub(super) fn carrier<'a>(
        &'a self,
        index: &'a gix::index::State,
    ) -> Result<Carrier<'a>, GitError> {
        let outside = self.gix.excludes(index, None, SOURCE).during(self, "read .gitignore")?;
        let own = self.own_ignore_rules(index)?;
        Ok(Carrier { repo: self, own, outside, folders: BTreeMap::new() })
    }

    /// Those of these files, which may not exist yet, that no commit would contain.
    pub fn kept_back<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p RelPath>,
    ) -> Result<Vec<(RelPath, IgnoreRule)>, GitError> {
        let index = self.gix.index_or_empty().during(self, "read the index")?;
        let mut carrier = self.carrier(&index)?;
        Ok(self.kept(&index, &mut carrier, paths))
    }

    /// What a person hears of, of those of these files that no commit would contain.
    pub fn staying<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p RelPath>,
    ) -> Result<Vec<Staying>, GitError> {
        let index = self.gix.index_or_empty().during(self, "read the index")?;
        let mut carrier = self.carrier(&index)?;
        let kept = self.kept(&index, &mut carrier, paths);
        Ok(carrier.staying(&kept))
    }

    fn kept<'p>(
        &self,
        index: &gix::index::State,
        carrier: &mut Carrier<'_>,
        paths: impl IntoIterator<Item = &'p RelPath>,
    ) -> Vec<(RelPath, IgnoreRule)> {
        let mut kept = Vec::new();
        for path in paths {
            let whole = format!("{}{path}", self.prefix);
            if index.entry_by_path(whole.as_bytes().as_bstr()).is_some() {
                continue;
            }
            if let Carried::No(rule) = carrier.carried(path) {
                kept.push((path.clone(), rule));
            }
        }
        kept
    }

    /// The `.gitignore` files inside the identity, as git reads them: what its owner wants to stay
    /// on this laptop. The rules of the repository around it, of `info/exclude` and of the user's
    /// git are not among them.
    fn own_ignore_rules(
        &self,
        index: &gix::index::State,
    ) -> Result<gix::worktree::Stack, GitError> {
        use gix::glob::pattern::Case;
        let disk = self.gix.filesystem_options().during(self, "read git's settings")?;
        let case = if disk.ignore_case { Case::Fold } else { Case::Sensitive };
        let rules = State::IgnoreStack(state::Ignore::new(
            gix::ignore::Search::default(),
            gix::ignore::Search::default(),
            None,
            SOURCE,
            state::ignore::ParseIgnore::default(),
        ));
        // Those that a sparse checkout leaves out of the work tree count as well.
        let left_out = rules.id_mappings_from_index(index, index.path_backing(), case).into_iter();
        let below = |(path, id): (BString, Id)| -> Option<(BString, Id)> {
            Some((path.strip_prefix(self.prefix.as_bytes())?.into(), id))
        };
        let left_out = left_out.filter_map(below);
        let root = self.root.join(&self.prefix);
        Ok(gix::worktree::Stack::new(root, rules, case, Vec::new(), left_out.collect()))
    }
}
