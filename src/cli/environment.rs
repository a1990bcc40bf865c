//! The environment variables that co reads: one table for `co help environment` and the man pages.

/// Names with their descriptions.
pub(super) const VARIABLES: &[(&str, &str)] = &[
    (
        "CO_IDENTITY_PATH",
        "where the identity is; overrides identity_path in settings.json, overridden by --identity",
    ),
    ("CO_CONFIG_DIR", "co's own folder, by default $XDG_CONFIG_HOME/co-cli or ~/.config/co-cli"),
    (
        "CO_SECRET_NAME",
        "the value of a secret, instead of the keyring (`staging-token` is \
         CO_SECRET_STAGING_TOKEN)",
    ),
    (
        "CO_SEAL_KEY",
        "the recovery key of a sealed remote, where there is no keyring (a server, CI)",
    ),
    ("DBUS_SESSION_BUS_ADDRESS", "how to reach the keyring"),
    (
        "GIT_DIR, GIT_WORK_TREE",
        "a repository whose work tree is elsewhere, as with yadm and bare dotfiles repositories",
    ),
    ("CO_PAGER, PAGER", "the pager for output longer than the screen; `cat` for none"),
    (
        "https_proxy, http_proxy, all_proxy, no_proxy",
        "the proxy to a model that computes vectors (settings.json); `co knowledge add URL` uses none",
    ),
    ("SSL_CERT_FILE, SSL_CERT_DIR", "on Linux, other certificates to trust for https"),
    ("VISUAL, EDITOR", "the editor for `co edit`, `co knowledge edit` and `co review --editor`"),
    ("NO_COLOR", "no colours"),
    ("GIT_SSH_COMMAND, SSH_AUTH_SOCK", "and everything else that git reads"),
];

/// The column where the descriptions begin.
const COLUMN: usize = 21;

pub(super) fn text() -> String {
    let mut text = "Environment variables that co reads:\n\n".to_owned();
    for (name, about) in VARIABLES {
        if name.len() < COLUMN {
            text.push_str(&format!("  {name:<COLUMN$}{about}\n"));
        } else {
            text.push_str(&format!("  {name}\n  {:COLUMN$}{about}\n", ""));
        }
    }
    text
}
