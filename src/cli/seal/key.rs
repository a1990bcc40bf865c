//! A recovery key on its way between a person and a verb.
//!
//! Invariant: one that was made is shown once, and a person shows that they kept it; without a
//! terminal it goes to a new file. One that is asked for is never echoed.

use crate::cli::{
    failure::{Exit, Failure},
    output, prompt,
    verb::Cli,
};
use crate::foreign::said;
use crate::git::url;
use crate::machine::{
    keyring::Value,
    seal_keys::{self, VARIABLE},
};
use crate::seal::keys::{Passphrase, RecoveryKey};
use crate::transfer::seal::{SealError, keys};
use age::secrecy::ExposeSecret;
use std::path::{Path, PathBuf};

/// What `--key` names, if it was given.
pub(in crate::cli) fn named(cli: &Cli<'_>, file: Option<&str>) -> Result<Option<Value>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let path = if file == "-" { PathBuf::from("-") } else { cli.ws.typed_path(file) };
    Ok(Some(seal_keys::read_key(&path)?))
}

/// What a person types, to be kept on this laptop.
pub(in crate::cli) fn asked_to_keep(cli: &Cli<'_>, url: &str) -> Result<Value, Failure> {
    keys::refuse_unkept(cli.ws)?;
    asked(cli, url)
}

/// What a person types.
pub(super) fn asked(cli: &Cli<'_>, url: &str) -> Result<Value, Failure> {
    let shown = url::shown(url);
    if !cli.asks {
        return Err(Failure::new(
            Exit::Declined,
            said!(
                "the recovery key or passphrase of {} is needed, but there is no terminal to ask on",
                shown
            ),
        )
        .hint(said!("`--key FILE` reads it from a file; on a server or in CI set {}", VARIABLE)));
    }
    let typed = prompt::hidden(&said!("Recovery key or passphrase of {}", shown))?;
    Ok(Value::new(typed.into_bytes()))
}

/// A person's own passphrase, typed twice; or one that is made and shown once, typed to show that
/// they have it.
pub(super) fn passphrase(cli: &Cli<'_>) -> Result<Value, Failure> {
    if !cli.asks {
        return Err(Failure::new(Exit::Declined, "a passphrase must be typed at a terminal"));
    }
    let mut first = prompt::hidden(&"Passphrase (Enter alone makes one)".into())?;
    if first.is_empty() {
        let made = Passphrase::generated(seal_keys::random());
        first = made.expose_secret().to_owned();
        output::say(&said!("The passphrase, shown this once:\n\n  {}\n\n", first));
    }
    if first != prompt::hidden(&"The same again".into())? {
        return Err(Failure::new(
            Exit::Declined,
            "the two passphrases differ; nothing was changed",
        )
        .hint("run the command again"));
    }
    Ok(Value::new(first.into_bytes()))
}

/// Shows a new recovery key, or writes it to a new file.
pub(super) fn hand_over(
    cli: &Cli<'_>,
    key: &RecoveryKey,
    out: Option<&str>,
) -> Result<(), Failure> {
    let text = key.to_text();
    if let Some(out) = out {
        return written(cli, &cli.ws.typed_path(out), text.expose_secret());
    }
    if !cli.asks {
        return Err(Failure::new(
            Exit::Declined,
            "the recovery key is shown once, but there is no terminal to show it on",
        )
        .hint("`--key-out FILE` writes it to a new file that only you can read"));
    }
    output::say(&said!(
        "The recovery key, shown this once. Print it, or keep it in a password manager: whoever has \
         it can read everything, and without it a lost laptop is a lost identity.\n\n  {}\n\n",
        text.expose_secret()
    ));
    let last = key.last_four();
    for _ in 0..3 {
        let typed = prompt::key(&"? Its last four characters:".into());
        match typed {
            Some(typed) if typed.eq_ignore_ascii_case(&last) => return Ok(()),
            Some(_) => output::say(&"These are not its last four characters.\n".into()),
            None => break,
        }
    }
    Err(prompt::declined())
}

fn written(cli: &Cli<'_>, path: &Path, text: &str) -> Result<(), Failure> {
    if seal_keys::write_key(path, text)? {
        return Ok(());
    }
    Err(SealError::FileThere { path: cli.ws.shown(path) }.into())
}
