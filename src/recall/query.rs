//! What a person asks: words, `"exact phrases"`, `OR`, `-word`.
//!
//! Invariant: every text is a query; nothing in it is syntax of a search engine.

use super::tokens::{self, Stems};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// In lower case; a memory that contains it comes first.
    pub phrase: String,
    /// Stems to look for; any of them counts.
    pub terms: Vec<String>,
    /// The last word of a short query, which may be the beginning of a longer one.
    pub prefix: Option<String>,
    /// Quoted phrases, in lower case; each must be there.
    pub required: Vec<String>,
    /// Stems that must not be there.
    pub excluded: Vec<String>,
}

impl Query {
    pub fn parse(text: &str) -> Query {
        let stems = Stems::default();
        let mut query = Query { phrase: text.trim().to_lowercase(), ..Query::default() };
        let mut plain = String::new();
        for (at, part) in text.split('"').enumerate() {
            if at % 2 == 1 && !part.trim().is_empty() {
                query.required.push(part.trim().to_lowercase());
                plain.push_str(part);
                plain.push(' ');
                continue;
            }
            for word in part.split_whitespace() {
                match word.strip_prefix('-') {
                    Some(rest) if rest.starts_with(char::is_alphanumeric) => {
                        query.excluded.extend(stems.of_text(rest))
                    }
                    _ if word == "OR" => {}
                    _ => {
                        plain.push_str(word);
                        plain.push(' ');
                    }
                }
            }
        }
        let words = tokens::words(&plain);
        let telling: Vec<&String> =
            words.iter().filter(|word| !tokens::is_stop_word(word)).collect();
        let kept: Vec<&String> = if telling.is_empty() { words.iter().collect() } else { telling };
        query.prefix = (kept.len() <= 2)
            .then(|| kept.last().map(|word| (*word).clone()))
            .flatten()
            .filter(|word| word.chars().count() >= 2);
        for word in kept {
            let stem = stems.of(word);
            if !query.terms.contains(&stem) {
                query.terms.push(stem);
            }
        }
        let plain_query = query.required.is_empty() && query.excluded.is_empty();
        if !plain_query {
            query.phrase = String::new();
        }
        query
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_of_people() {
        let query = Query::parse("which test runner do I like?");
        assert_eq!(query.terms, ["test", "runner", "like"]);
        let query = Query::parse("\"uv sync\" OR pytest -docker");
        assert_eq!(
            (query.required, query.excluded),
            (vec!["uv sync".to_owned()], vec!["docker".to_owned()])
        );
        assert_eq!(Query::parse("the").terms, ["the"]);
        assert_eq!(Query::parse("\"").terms, Vec::<String>::new());
        assert_eq!(Query::parse("pyt").prefix.as_deref(), Some("pyt"));
    }
}
