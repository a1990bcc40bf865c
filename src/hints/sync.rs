//! What can be done after a failed sync.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::phrases::Hints;
use crate::secrets::ALLOW;
use crate::sync::{
    BRING_BACK, DeletionError, HeldBackError, RepositoryError, StayedBehind, SyncError,
};
use crate::workspace::login::LoginError;

pub(super) fn sync(error: &SyncError) -> Hints {
    let hint = match error {
        SyncError::Repository(error) => return repository(error),
        SyncError::HeldBack(error) => return held_back(error),
        SyncError::Deletion(error) => return deletion(error),
        // The cause has its own hints.
        SyncError::NotPublished(_) => return Hints::new(),
        SyncError::Rewritten { .. } | SyncError::LayerRewritten { .. } => {
            return rewritten(error);
        }
        SyncError::OwnBranch { branch, remote, root } => {
            return vec![format!(
                "`git -C {root} push -u {remote} {branch}` pushes the branch; from then on `co \
                 sync` does"
            )];
        }
        SyncError::OtherIdentity { url } => {
            return vec![format!(
                "`co identity remote {url}` shows whose it is, and merges it if you agree"
            )];
        }
        SyncError::Left { sealed_at: Some(url), .. } => {
            return vec![format!(
                "`co identity remote {url}` follows it there, if that repository is yours"
            )];
        }
        SyncError::Left { sealed_at: None, .. } => {
            "`co identity remote URL` follows it; SEALED.md there names the URL of the sealed \
             repository"
        }
        SyncError::IsSealed { .. } => "`co identity remote URL` with its URL joins it",
        SyncError::NoRemote => "`co identity remote URL` sets one",
        SyncError::OwnRemote { .. } => {
            "`co identity remote URL` sets one that the other laptops can reach, too"
        }
        SyncError::NothingThere { .. } => "`co sync` pushes what is here",
        SyncError::RemoteMoved { .. } => "run `co sync` again in a moment",
        SyncError::BranchMoved => "run the command again",
        SyncError::OtherBranch => "nothing was pushed; `co sync` syncs the branch you are on now",
        SyncError::KeepsChanging => "run `co sync` again when they stop changing",
        SyncError::PushesElsewhere { .. } => {
            "`git remote -v` in the identity's folder shows where it pushes to"
        }
        SyncError::PushPlaceDiffers { remote, setting, .. } => {
            return push_place(remote, setting.as_deref());
        }
        SyncError::NoIdentityThere { .. } => {
            "check what happened there with `git log`; `co sync --accept-deletions` accepts it"
        }
        SyncError::OneFile { .. } => {
            "rename one of the two on the laptop that has both, and sync there first"
        }
        SyncError::FileAndFolder { .. } => "rename one of the two, then run the command again",
        SyncError::OpenMerge { .. } => {
            "finish it with `git commit` or abort it with `git merge --abort`, then run `co sync` \
             again"
        }
    };
    vec![hint.to_owned()]
}

/// What a remote lost is taken over only by a person.
fn rewritten(error: &SyncError) -> Hints {
    match error {
        SyncError::Rewritten { remote, root, .. } => vec![format!(
            "`git -C {root} pull --rebase` (or `git rebase --onto`) takes over what {remote} has; \
             then `co sync`"
        )],
        SyncError::LayerRewritten { name, folder, url } => vec![format!(
            "if the team meant it: `co layer remove {name}`, `mv {folder} {folder}.old`, then \
             `co layer add {name} {url}` with the options it had"
        )],
        _ => Hints::new(),
    }
}

/// Where git pushes to has to be the repository that it fetches from.
fn push_place(remote: &str, setting: Option<&str>) -> Hints {
    let seen = "`git remote -v` in the identity's folder shows both addresses, which have to lead \
                to the same repository";
    let remedy = match setting {
        Some(key) => {
            format!(
                "`git config --unset-all {key}` there makes git push to {remote} itself; if another \
                 file sets it, `git config --show-origin --get-all {key}` names that file"
            )
        }
        None => "`git config --show-origin --get-regexp 'insteadof|remote'` there names the \
                 setting to change"
            .to_owned(),
    };
    vec![seen.to_owned(), format!("{remedy}; then run `co sync` again")]
}

fn repository(error: &RepositoryError) -> Hints {
    match error {
        RepositoryError::NoRepository { .. } => {
            vec!["`co init` makes it one, `co init URL` connects it to yours".to_owned()]
        }
        RepositoryError::Ignored { path, root, .. } => vec![
            "`co init` makes it a repository of its own".to_owned(),
            format!("or keep it in {root}: `git add -f profile.md` in {path}, then `co sync`"),
        ],
        RepositoryError::Tracked { command, .. } => vec![format!("`{command}` works in it")],
        RepositoryError::Links { path, folder } => vec![format!(
            "remove the links and `ln -s {folder} {path}`; or set identity_path to {folder} in \
             settings.json"
        )],
        RepositoryError::Cloud { service, instead, .. } => vec![
            format!("`co identity move {instead}` moves it out of there, then `co init URL`"),
            format!("or leave syncing to {service}: everything but `co sync` works there"),
        ],
        RepositoryError::Emptied { .. } => vec![format!("is a disk not mounted? {BRING_BACK}")],
    }
}

fn held_back(error: &HeldBackError) -> Hints {
    match error {
        HeldBackError::StayedBehind(stayed) => stayed_behind(stayed),
        HeldBackError::File { .. } => {
            vec![
                "`co check` shows what is wrong with it; fix it, then run `co sync` again"
                    .to_owned(),
            ]
        }
        HeldBackError::InMerge { .. } => vec![
            "remove it from the file (`co secret set NAME` keeps it), or abort the merge with \
             `git merge --abort`; then run `co sync` again"
                .to_owned(),
        ],
        HeldBackError::InMessage { commit, rule, root, is_last, .. } => {
            let reword = if *is_last {
                "commit --amend --only".to_owned()
            } else {
                format!("rebase -i --rebase-merges {commit}^")
            };
            vec![
                format!("`git -C {root} {reword}` rewords it; then `co sync`"),
                format!("if this is not a secret: `--allow-secret {rule}`"),
            ]
        }
        HeldBackError::InCommit { rule, root, back, .. } => vec![
            format!(
                "`git -C {root} {back}` undoes the commits that were not pushed, and keeps your \
                 files; then remove it from the file and sync again"
            ),
            format!(
                "keep it in the keyring (`co secret set NAME`); if this is not a secret: \
                 `--allow-secret {rule}`"
            ),
        ],
    }
}

pub(super) fn login(_: &LoginError) -> Hints {
    vec!["`co secret set git-token`, and `\"password\": \"{{secret:git-token}}\"` there".to_owned()]
}

fn stayed_behind(stayed: &StayedBehind) -> Hints {
    let mut hints = match stayed.reasons.as_slice() {
        [_] => Hints::new(),
        several => several.to_vec(),
    };
    if stayed.has_secret_text {
        hints.push(
            "keep the value in the keyring (`co secret set NAME`), write {{secret:NAME}} in the \
             file, then run `co sync` again"
                .to_owned(),
        );
    }
    if stayed.has_secret_name {
        let hint = "rename the file that has a secret in its name, then run `co sync` again";
        hints.push(hint.to_owned());
    }
    if let Some(rule) = stayed.secret_rule {
        let on_line = if stayed.has_secret_text {
            format!("`{ALLOW}` on its line, or ")
        } else {
            String::new()
        };
        hints.push(format!("if this is not a secret: {on_line}`--allow-secret {rule}`"));
    }
    if stayed.has_copies {
        let hint = "`co check --fix` folds them into their originals; then run `co sync` again";
        hints.push(hint.to_owned());
    }
    if stayed.has_others {
        hints.push("`co check` shows what is wrong; fix it, then run `co sync` again".to_owned());
    }
    hints
}

fn deletion(error: &DeletionError) -> Hints {
    match error {
        DeletionError::TooMany(_) => {
            vec![
                "`co forget` forgets facts one by one; an undo accepts --accept-deletions"
                    .to_owned(),
            ]
        }
        DeletionError::GoneHere { gone, .. } => vec![
            gone.hint(),
            "`co sync --accept-deletions` deletes them on every laptop".to_owned(),
        ],
        DeletionError::GoneThere { remote, .. } => vec![
            format!(
                "`co diff {remote}` lists them; to keep them, restore them where they were \
                 removed, or in a clone of {remote} (`git revert`), and push"
            ),
            "`co sync --accept-deletions` deletes them here, too".to_owned(),
        ],
    }
}
