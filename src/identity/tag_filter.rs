//! Which facts are meant by tags: the one reading of `--tag`, and of a model's `tags`.
//!
//! Invariant: case does not matter; `a,b` is two tags, as where they are given to a fact, unless a
//! file that somebody wrote by hand has that very tag; a fact needs all of them.

/// One letter of a tag in this many may be wrong, missing, or swapped with the next.
const LETTERS_PER_MISTAKE: usize = 3;

/// Whether a fact with these tags is meant by what was typed.
pub fn has_all<'a>(own: impl IntoIterator<Item = &'a str>, typed: &[String]) -> bool {
    if typed.is_empty() {
        return true;
    }
    let own: Vec<String> = own.into_iter().map(str::to_lowercase).collect();
    typed.iter().all(|typed| missing(&own, typed).is_empty())
}

/// The tags in what was typed that are not among these, which are in lower case.
fn missing<'a>(own: &[String], typed: &'a str) -> Vec<&'a str> {
    let is_there = |tag: &str| own.contains(&tag.to_lowercase());
    let parts: Vec<&str> =
        typed.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    if is_there(typed) {
        Vec::new()
    } else if parts.is_empty() {
        vec![typed.trim()]
    } else {
        parts.into_iter().filter(|part| !is_there(part)).collect()
    }
}

/// For each tag that no fact has, what to say of it; `known` are the tags of all facts.
pub fn unknown<'a>(known: impl IntoIterator<Item = &'a str>, typed: &[String]) -> Vec<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let lower: Vec<String> = known.iter().map(|tag| tag.to_lowercase()).collect();
    let mut missing: Vec<&str> = typed.iter().flat_map(|typed| missing(&lower, typed)).collect();
    missing.dedup();
    let said = |tag: &str| match near(tag, &known) {
        Some(near) => format!("no fact has the tag `{tag}`; did you mean `{near}`?"),
        None => format!("no fact has the tag `{tag}`"),
    };
    missing.into_iter().map(said).collect()
}

/// The tag that differs by the fewest letters, if it may be meant.
fn near<'a>(tag: &str, known: &[&'a str]) -> Option<&'a str> {
    let tag = tag.to_lowercase();
    let distances = known.iter().filter_map(|known| {
        let distance = strsim::osa_distance(&tag, &known.to_lowercase());
        let letters = tag.chars().count().max(known.chars().count());
        (distance * LETTERS_PER_MISTAKE <= letters).then_some((distance, *known))
    });
    distances.min().map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(tags: &[&str]) -> Vec<String> {
        tags.iter().map(|tag| (*tag).to_owned()).collect()
    }

    #[test]
    fn case_does_not_matter_and_a_comma_separates() {
        let own = ["Python", "style", "a,b"];
        assert!(has_all(own, &[]));
        for fits in [
            &["PYTHON"][..],
            &["python,style"],
            &[" style , python,"],
            &["python", "Style"],
            &["a,b", "style"],
        ] {
            assert!(has_all(own, &typed(fits)), "{fits:?}");
        }
        for other in [&["go"][..], &["python,go"], &["python", "go"], &[""], &[","], &["a"]] {
            assert!(!has_all(own, &typed(other)), "{other:?}");
        }
    }

    #[test]
    fn a_tag_that_no_fact_has_is_named_with_the_one_that_may_be_meant() {
        let said = |tags: &[&str]| unknown(["python", "go", "style"], &typed(tags)).join("\n");
        assert_eq!(said(&["Python,STYLE", "go"]), "");
        assert_eq!(said(&["pyhton,style"]), "no fact has the tag `pyhton`; did you mean `python`?");
        assert_eq!(said(&["berlin"]), "no fact has the tag `berlin`");
        assert_eq!(said(&["xx", "xx"]), "no fact has the tag `xx`");
    }
}
