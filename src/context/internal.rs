//! The two context files that are always loaded, the person's and the project's, joined and
//! size-limited.

use crate::foreign::{Said, said};

/// Above this many bytes, the user is warned.
pub const TARGET_BYTES: usize = 10 * 1024;
/// Above this many bytes, the text is cut.
pub const MAX_BYTES: usize = 20 * 1024;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knowledge {
    pub text: Said,
    pub warning: Option<String>,
    /// The size before the cut.
    pub bytes: usize,
}

/// Joins the bodies of both context files; `None` if both are empty.
pub fn load_internal_knowledge(global: Option<Said>, project: Option<Said>) -> Option<Knowledge> {
    let mut text = joined(global, project)?;
    let bytes = text.as_str().len();
    let warning = if bytes > MAX_BYTES {
        text = text.cut(MAX_BYTES);
        Some(format!("ERROR: Knowledge size {bytes} exceeds 20 KiB. Truncating."))
    } else if bytes > TARGET_BYTES {
        Some(format!("WARNING: Knowledge size {bytes} exceeds 10 KiB target."))
    } else {
        None
    };
    Some(Knowledge { text, warning, bytes })
}

/// Both under their headings, without a size limit.
pub(super) fn joined(global: Option<Said>, project: Option<Said>) -> Option<Said> {
    let sections: Vec<(&str, Said)> = [("Global Context", global), ("Project Context", project)]
        .into_iter()
        .filter_map(|(title, body)| Some((title, body?.trimmed())))
        .filter(|(_, body)| !body.is_empty())
        .collect();
    if sections.is_empty() {
        return None;
    }
    let mut text = Said::from("## Internal Knowledge\n\n");
    for (title, body) in sections {
        text.push(said!("### {}\n\n{}\n\n", title, body));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(letter: &'static str, count: usize) -> Said {
        (0..count).map(|_| Said::from(letter)).collect()
    }

    #[test]
    fn the_text_of_the_seed() {
        assert_eq!(load_internal_knowledge(None, Some("  \n".into())), None);
        let both =
            load_internal_knowledge(Some("- Name: Bin\n".into()), Some("- Type: CLI".into()))
                .expect("two sections");
        assert_eq!(
            both.text.as_str(),
            "## Internal Knowledge\n\n### Global Context\n\n- Name: Bin\n\n### Project \
             Context\n\n- Type: CLI\n\n"
        );
        assert_eq!(both.warning, None);
    }

    #[test]
    fn limits_are_strict_and_cut_at_a_character() {
        let frame = "## Internal Knowledge\n\n### Global Context\n\n\n\n".len();
        let of = |size: usize| {
            load_internal_knowledge(Some(long("x", size - frame)), None).expect("a section")
        };
        assert_eq!(of(10_240).warning, None);
        assert_eq!(
            of(10_241).warning.as_deref(),
            Some("WARNING: Knowledge size 10241 exceeds 10 KiB target.")
        );
        assert!(of(20_480).warning.is_some_and(|warning| warning.starts_with("WARNING")));
        let cut = of(20_481);
        assert_eq!(
            (cut.text.as_str().len(), cut.warning.as_deref()),
            (20_480, Some("ERROR: Knowledge size 20481 exceeds 20 KiB. Truncating."))
        );
        let wide = load_internal_knowledge(Some(long("é", 11_000)), None).expect("a section");
        assert!(wide.text.as_str().len() <= 20_480 && wide.text.as_str().len() > 20_470);
    }
}
