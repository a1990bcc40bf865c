//! git bundles: what one push adds, as git itself packs it.
//!
//! Invariant: objects are checked by git before they are in the store, and nothing refers to them
//! until the caller does. Must not know who sealed them.

use super::super::{
    GitError, Id, Repo,
    error::Words,
    process::{self, LOCAL},
};
use crate::machine::{batch, process::Process};

const MAKE: &str = "pack what the remote lacks";
const TAKE: &str = "unpack what the remote has";
/// The first line of a bundle.
const HEAD: &str = "# v2 git bundle\n";
/// The name that the branch has in every bundle.
const BRANCH: &str = "refs/heads/main";
/// From this many objects on, a pack is kept as it is, as git does.
const MANY: u32 = 100;

/// All that leads from `old` to `new`; nothing if they are the same.
pub(super) fn make(repo: &Repo, old: Option<Id>, new: Id) -> Result<Vec<u8>, GitError> {
    if old == Some(new) {
        return Ok(Vec::new());
    }
    let mut bundle = HEAD.as_bytes().to_vec();
    let mut wanted = format!("{new}\n");
    if let Some(old) = old {
        bundle.extend(format!("-{old} \n").into_bytes());
        wanted.push_str(&format!("^{old}\n"));
    }
    bundle.extend(format!("{new} {BRANCH}\n\n").into_bytes());
    let mut command = process::git(repo.git_dir(), None);
    command.args(["pack-objects", "--revs", "--thin", "--stdout", "--delta-base-offset"]);
    // Who is silent for too long is taken for dead.
    command.arg("--progress");
    command.input(wanted.into_bytes());
    let (output, pack) = process::run_exact(command, LOCAL)?;
    if !output.ok {
        return Err(GitError::local(MAKE, &repo.root, Words(process::reason(&output.err))));
    }
    bundle.extend(pack);
    Ok(bundle)
}

/// Brings a bundle's objects into the store, after git has checked them.
pub(super) fn take(repo: &Repo, bundle: &[u8]) -> Result<(), GitError> {
    if bundle.is_empty() {
        return Ok(());
    }
    let failed = |why: String| GitError::local(TAKE, &repo.root, Words(why));
    let pack = pack_of(bundle).ok_or_else(|| failed("it is no git bundle".to_owned()))?;
    let count = objects_in(pack).ok_or_else(|| failed("it has no pack".to_owned()))?;
    if count == 0 {
        return Ok(());
    }
    let mut command: Process = process::git(repo.git_dir(), None);
    if count < MANY {
        command.args(["unpack-objects", "-q", "--strict"]);
    } else {
        command.args(["index-pack", "-v", "--stdin", "--fix-thin", "--strict"]);
    }
    command.input(pack.to_vec());
    let output = process::run(command, LOCAL)?;
    if !output.ok {
        return Err(failed(process::reason(&output.err)));
    }
    batch::bring_all_to_disk(&repo.objects());
    Ok(())
}

/// What follows the empty line after the header.
fn pack_of(bundle: &[u8]) -> Option<&[u8]> {
    let rest = bundle.strip_prefix(HEAD.as_bytes())?;
    if let Some(pack) = rest.strip_prefix(b"\n") {
        return Some(pack);
    }
    memchr::memmem::find(rest, b"\n\n").map(|at| &rest[at + 2..])
}

fn objects_in(pack: &[u8]) -> Option<u32> {
    let count: [u8; 4] = pack.strip_prefix(b"PACK\0\0\0\x02")?.get(..4)?.try_into().ok()?;
    Some(u32::from_be_bytes(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_is_found_behind_its_header() {
        let pack = b"PACK\0\0\0\x02\0\0\0\x03rest".as_slice();
        for head in ["# v2 git bundle\nab refs/heads/main\n\n", "# v2 git bundle\n-ab \ncd x\n\n"] {
            let bundle = [head.as_bytes(), pack].concat();
            assert_eq!(pack_of(&bundle), Some(pack));
        }
        assert_eq!(objects_in(pack), Some(3));
        for bad in [&b""[..], b"PACK", b"# v2 git bundle\n", b"# v3 git bundle\nx\n\nPACK"] {
            assert_eq!(pack_of(bad).and_then(objects_in), None);
        }
    }
}
