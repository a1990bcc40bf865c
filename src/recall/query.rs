//! A parsed query: words, `"exact phrases"`, `OR`, `-word`.
//!
//! Invariant: every text is a valid query; nothing reaches a search engine as its syntax.

use super::tokens::{self, Stems};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    pub text: String,
    /// The text without its exclusions, which is what gets embedded.
    pub meant: String,
    /// The whole query in lower case; a memory that contains it comes first. Empty for a query with
    /// phrases or exclusions.
    pub phrase: String,
    /// Significant words, folded, in order.
    pub words: Vec<String>,
    /// Quoted phrases, in lower case.
    pub quotes: Vec<String>,
    /// Stems that must not occur.
    pub excluded: Vec<String>,
    /// Set for a query of only phrases, `OR` and `-word`: one of each group must occur.
    pub required: Vec<Vec<String>>,
}

/// Further letters of a question hardly change its answers, and cost time.
pub const MAX_CHARS: usize = 4_000;

/// The part of a question that is searched for.
pub fn cut(text: &str) -> &str {
    text.char_indices().nth(MAX_CHARS).map_or(text, |(at, _)| &text[..at])
}

impl Query {
    pub fn parse(text: &str) -> Query {
        let text = &without_question_mark(&tokens::single_spaced(text));
        let mut parts = QueryParts::default();
        let straight = text.replace(['“', '”', '„', '「', '」', '『', '』'], "\"");
        for (at, part) in straight.split('"').enumerate() {
            if at % 2 == 1 && !part.trim().is_empty() {
                parts.quote(part.trim());
            } else {
                part.split_whitespace().for_each(|word| parts.word(word));
            }
        }
        let is_plain = parts.quotes.is_empty() && parts.excluded.is_empty();
        let all = format!("{} {}", parts.plain, parts.quotes.concat().join(" "));
        let only_syntax = tokens::words(&parts.plain).is_empty() && !is_plain;
        Query {
            phrase: if is_plain { text.trim().to_lowercase() } else { String::new() },
            words: tokens::telling(&all),
            quotes: parts.quotes.concat(),
            excluded: parts.excluded,
            required: if only_syntax { parts.quotes } else { Vec::new() },
            meant: if is_plain { text.clone() } else { all },
            text: text.clone(),
        }
    }

    /// The same query with its phrases optional.
    pub fn without_required(&self) -> Query {
        Query { required: Vec::new(), ..self.clone() }
    }
}

/// Whether it is a question is no matter of its answer.
fn without_question_mark(text: &str) -> String {
    text.trim_end_matches(|end: char| end.is_whitespace() || matches!(end, '?' | '？')).to_owned()
}

#[derive(Default)]
struct QueryParts {
    stems: Stems,
    plain: String,
    /// Groups of alternatives: `"a" OR "b" "c"` means a or b, and c.
    quotes: Vec<Vec<String>>,
    excluded: Vec<String>,
    after_or: bool,
}

impl QueryParts {
    fn quote(&mut self, phrase: &str) {
        let phrase = phrase.to_lowercase();
        match self.quotes.last_mut().filter(|_| self.after_or) {
            Some(alternatives) => alternatives.push(phrase),
            None => self.quotes.push(vec![phrase]),
        }
        self.after_or = false;
    }

    fn word(&mut self, word: &str) {
        let excluded =
            word.strip_prefix('-').filter(|rest| rest.starts_with(char::is_alphanumeric));
        self.after_or = word == "OR";
        match excluded {
            Some(rest) => self.excluded.extend(self.stems.of_text(rest)),
            None if self.after_or => {}
            None => {
                self.plain.push_str(word);
                self.plain.push(' ');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_of_people() {
        let query = Query::parse("which test runner do I like?");
        assert_eq!(query.words, ["test", "runner", "like"]);
        let query = Query::parse("\"uv sync\" OR “pytest” -docker");
        assert_eq!(query.required, [["uv sync", "pytest"]]);
        assert_eq!(query.excluded, ["docker"]);
        let query = Query::parse("where is \"uv sync\" used");
        assert!(query.required.is_empty() && query.quotes == ["uv sync"]);
        assert_eq!(Query::parse("the").words, ["the"]);
        assert_eq!(Query::parse("\"").words, Vec::<String>::new());
        let tea = Query::parse("Drinks green tea");
        for same in [
            "Drinks green tea?",
            " Drinks  green tea ?",
            "Drinks\tgreen tea？",
            "Drinks green tea??",
        ] {
            assert_eq!(Query::parse(same), tea, "{same:?}");
        }
        assert_eq!(Query::parse("\"green  tea?\" now?").quotes, ["green tea?"]);
        assert_eq!(Query::parse("我喜欢什么茶").words, ["喜欢", "喜", "欢", "茶"]);
    }
}
