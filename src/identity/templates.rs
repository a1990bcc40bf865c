//! The files that `init` writes.
//!
//! Invariant: anything that the user did not answer has `updated: 1970-01-01T00:00:00Z`, so that it
//! loses every merge against what a person set.

use super::{
    document::Document,
    kind::{CONTEXT, PERSONALITY, PROFILE},
    path::RelPath,
    snapshot::Snapshot,
    stamp::Stamp,
};

/// The fields of the profile that `init` asks for.
pub const ASKED: [&str; 2] = ["Name", "Timezone"];

/// The user's answers at `init`; `None` means unanswered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InitAnswers {
    pub name: Option<String>,
    /// An IANA name such as `Europe/Berlin`.
    pub timezone: Option<String>,
}

impl InitAnswers {
    /// Without empty ones.
    pub fn of(name: Option<String>, timezone: Option<String>) -> InitAnswers {
        let kept = |text: Option<String>| {
            text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        InitAnswers { name: kept(name), timezone: kept(timezone) }
    }
}

pub const GIT_ATTRIBUTES: &str = "\
# Written by co. Bytes stay as they are; `co sync` merges by fact, plain git needs the merge driver.
* -text
*.md merge=co-identity
knowledge/forgotten.md merge=union
knowledge/reviewed.md merge=union
knowledge/merge-questions.md merge=union
";

/// Keeps machine state out of a repository that holds the whole configuration folder.
pub const CONFIG_GITIGNORE: &str = "\
# Written by co: these belong to this machine and do not travel.
/settings.json
/local/
/layers/
/sessions/
";

pub fn new_identity(answers: &InitAnswers, now: Stamp) -> Snapshot {
    let has_answers = answers.name.is_some() || answers.timezone.is_some();
    let mut fields = String::new();
    for (key, value) in ASKED.into_iter().zip([&answers.name, &answers.timezone]) {
        if let Some(value) = value {
            fields.push_str(&format!("- {key}: {value}\n"));
        }
    }
    let separator = if fields.is_empty() { "" } else { "\n" };
    let mut snapshot = Snapshot::default();
    let mut put = |path: &str, text: String| snapshot.put(RelPath::known(path), summed(&text));
    put(
        PROFILE,
        format!(
            "{}# Profile\n{separator}{fields}",
            head(if has_answers { now } else { Stamp::EPOCH })
        ),
    );
    put(PERSONALITY, personality(None, now));
    put("traits/communication-style.md", format!("{}# Communication Style\n", head(Stamp::EPOCH)));
    put(
        "traits/learned-patterns.md",
        format!("{}# Learned Patterns (Cross-Project)\n", head(Stamp::EPOCH)),
    );
    put(CONTEXT, format!("{}# User\n\n# Learned\n", head(Stamp::EPOCH)));
    put(".gitattributes", GIT_ATTRIBUTES.to_owned());
    snapshot
}

/// Adds the checksum if there is frontmatter.
fn summed(text: &str) -> String {
    match Document::read(text.as_bytes()) {
        Ok(mut document) if document.front().is_some() => {
            document.set_checksum();
            document.write()
        }
        _ => text.to_owned(),
    }
}

pub fn personality(selected: Option<&str>, now: Stamp) -> String {
    match selected {
        Some(name) => format!(
            "---\nversion: 1\nselected: {name}\nupdated: {now}\n---\n\n# Personality\n\nSelected: \
             {name}\n\n# Overrides\n"
        ),
        None => format!("{}# Personality\n\n# Overrides\n", head(Stamp::EPOCH)),
    }
}

fn head(updated: Stamp) -> String {
    format!("---\nversion: 1\nupdated: {updated}\n---\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unanswered_profile_loses_to_everything() {
        let now = Stamp::from_micros(1_770_000_000_000_000);
        let silent = new_identity(&InitAnswers::default(), now);
        let profile = |snapshot: &Snapshot| {
            String::from_utf8_lossy(snapshot.get(&RelPath::known(PROFILE)).expect("there"))
                .into_owned()
        };
        assert!(profile(&silent).contains("updated: 1970-01-01T00:00:00Z"));
        let identity =
            new_identity(&InitAnswers { name: Some("Bin".into()), ..InitAnswers::default() }, now);
        let text = profile(&identity);
        let head = format!("---\nversion: 1\nupdated: {now}\nchecksum: sha256:");
        assert!(text.starts_with(&head), "{text}");
        assert!(text.ends_with("---\n\n# Profile\n\n- Name: Bin\n"), "{text}");
    }
}
