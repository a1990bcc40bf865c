//! What a push would publish besides the files: commits that were made without co, and the messages
//! of all.
//!
//! Invariant: nothing with a secret in it leaves this laptop, unless its rule was allowed.

use super::{Exit, Failure, Place, Stop};
use crate::ops::guard;
use crate::secrets;
use crate::system::git::{GitError, Id};

/// A message is published with its commit, and nothing takes it back from there.
pub(super) fn refuse_secret_messages(
    place: &Place<'_>,
    theirs: Option<Id>,
    head: Id,
) -> Result<(), Stop> {
    let (repo, allowed) = (&place.repo, &place.request.allowed);
    for (commit, message) in repo.messages_between(theirs, head)? {
        let found = secrets::scan_file("message", message.as_bytes(), allowed);
        let Some(secret) = found.first() else { continue };
        let (short, root) = (&commit.to_string()[..10], place.context.shown(&repo.root));
        let what = guard::describe(None, secret);
        let reword = match commit == head {
            true => "commit --amend --only".to_owned(),
            false => format!("rebase -i --rebase-merges {short}^"),
        };
        let message =
            format!("the message of commit {short} holds a secret: {what}; nothing was pushed");
        return Err(Failure::new(Exit::NeedsUser, message)
            .hint(format!("`git -C {root} {reword}` rewords it; then `co sync`"))
            .hint(format!("if it is none: `--allow-secret {}`", secret.rule))
            .into());
    }
    Ok(())
}

/// A push also publishes commits made without co, so they are scanned as well.
pub(super) fn refuse_secret_commits(
    place: &Place<'_>,
    theirs: Option<Id>,
    head: Id,
) -> Result<(), Stop> {
    let (repo, allowed) = (&place.repo, &place.request.allowed);
    for file in repo.brought_since(theirs, head)? {
        let after = repo.blob(file.after)?;
        if secrets::scan_file(file.path.as_str(), &after, allowed).is_empty() {
            continue;
        }
        let before = file.before.iter().map(|id| repo.blob(*id));
        let known = before.collect::<Result<Vec<_>, GitError>>()?.join(&b'\n');
        let found = secrets::new_in(file.path.as_str(), Some(&known), &after, allowed);
        let Some(secret) = found.first() else { continue };
        let (commit, root) = (&file.commit.to_string()[..10], place.context.shown(&repo.root));
        let what = guard::describe(Some(&file.path), secret);
        let message = format!(
            "commit {commit} is not published yet and holds a secret: {what}; nothing was pushed"
        );
        // In a bigger repository the user's other commits stay.
        let back = match theirs {
            _ if !repo.prefix.is_empty() => format!("rebase -i {commit}^"),
            Some(theirs) => format!("reset --soft {}", &theirs.to_string()[..10]),
            None => "update-ref -d HEAD".to_owned(),
        };
        return Err(Failure::new(Exit::Refused, message)
            .hint(format!(
                "`git -C {root} {back}` takes what is unpublished back out of the commits; then \
                 take it out of the file and sync again"
            ))
            .hint(format!(
                "keep it in the keyring (`co secret set NAME`); if it is none: `--allow-secret {}`",
                secret.rule
            ))
            .into());
    }
    Ok(())
}
