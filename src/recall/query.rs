//! A parsed query: words, `"exact phrases"`, `OR`, `-word`. What does not matter is left out
//! before, by `question`.
//!
//! Invariant: every text is a valid query; nothing reaches a search engine as its syntax.

use super::{
    languages::{self, Language},
    question,
    tokens::{self, Stems},
};

/// `-word` or `-"a phrase"`: the texts that have all of it are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exclusion {
    /// Several for a word such as `10.0.0.9` or `pre-commit`.
    pub stems: Vec<String>,
    /// Of a phrase, in lower case.
    pub phrase: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// What is asked, in lower case, without exclusions and quotes: what words, dates and vectors
    /// are taken from.
    pub text: String,
    /// The whole question; a memory that contains it comes first. Empty for a query with phrases.
    pub phrase: String,
    /// Significant words, folded, in order.
    pub words: Vec<String>,
    /// The languages of the text, besides English.
    pub languages: Vec<Language>,
    /// Quoted phrases, in lower case.
    pub quotes: Vec<String>,
    /// What must not occur.
    pub excluded: Vec<Exclusion>,
    /// Set for a query of only phrases, `OR` and `-word`: one of each group must occur.
    pub required: Vec<Vec<String>>,
}

impl Query {
    pub fn parse(text: &str) -> Query {
        let asked = question::plain(text);
        let mut parts = QueryParts::default();
        for (at, part) in asked.split('"').enumerate() {
            if at % 2 == 1 && !part.trim().is_empty() {
                parts.quote(part.trim());
                continue;
            }
            let before_minus = part
                .strip_suffix('-')
                .filter(|rest| rest.ends_with(char::is_whitespace) || (at == 0 && rest.is_empty()));
            before_minus.unwrap_or(part).split_whitespace().for_each(|word| parts.word(word));
            parts.after_minus = before_minus.is_some();
        }
        let is_plain = parts.quotes.is_empty() && parts.excluded.is_empty();
        let said = if is_plain { asked.to_lowercase() } else { parts.said.join(" ") };
        // To the encoder they are two letters.
        let text = said.replace('’', "'");
        let only_phrases = !parts.has_words && !parts.quotes.is_empty();
        let languages = languages::of_text(&text);
        Query {
            phrase: if parts.quotes.is_empty() { text.clone() } else { String::new() },
            words: languages::telling(&text, &languages),
            languages,
            quotes: parts.quotes.concat(),
            excluded: parts.excluded,
            required: if only_phrases { parts.quotes } else { Vec::new() },
            text,
        }
    }

    /// The same query with its phrases optional.
    pub fn without_required(&self) -> Query {
        Query { required: Vec::new(), ..self.clone() }
    }
}

#[derive(Default)]
struct QueryParts {
    stems: Stems,
    /// Words and phrases in their order, in lower case.
    said: Vec<String>,
    /// Whether there are words besides the phrases.
    has_words: bool,
    /// Groups of alternatives: `"a" OR "b" "c"` means a or b, and c.
    quotes: Vec<Vec<String>>,
    excluded: Vec<Exclusion>,
    after_or: bool,
    /// Whether a phrase that follows is excluded.
    after_minus: bool,
}

impl QueryParts {
    fn quote(&mut self, phrase: &str) {
        let phrase = phrase.to_lowercase().replace('’', "'");
        if std::mem::take(&mut self.after_minus) {
            return self.exclude(&phrase, Some(phrase.clone()));
        }
        self.said.push(phrase.clone());
        match self.quotes.last_mut().filter(|_| self.after_or) {
            Some(alternatives) => alternatives.push(phrase),
            None => self.quotes.push(vec![phrase]),
        }
        self.after_or = false;
    }

    fn exclude(&mut self, text: &str, phrase: Option<String>) {
        let stems = self.stems.of_text(text);
        if !stems.is_empty() {
            self.excluded.push(Exclusion { stems, phrase });
        }
    }

    fn word(&mut self, word: &str) {
        let excluded =
            word.strip_prefix('-').filter(|rest| rest.starts_with(char::is_alphanumeric));
        self.after_or = word == "OR";
        match excluded {
            Some(rest) => self.exclude(rest, None),
            None if self.after_or => {}
            None => {
                self.has_words |= !tokens::words(word).is_empty();
                self.said.push(word.to_lowercase());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(query: &Query) -> Vec<Vec<String>> {
        query.excluded.iter().map(|one| one.stems.clone()).collect()
    }

    #[test]
    fn syntax_of_people() {
        let query = Query::parse("which test runner do I like?");
        assert_eq!(query.words, ["test", "runner", "like"]);
        let query = Query::parse("\"uv sync\" OR “pytest” -docker");
        assert_eq!(query.required, [["uv sync", "pytest"]]);
        assert_eq!(stems(&query), [["docker"]]);
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
        assert_eq!(Query::parse("Ana’s tea"), Query::parse("Ana's tea"));
        assert_eq!(
            Query::parse("\"Ana’s tea\" «now or never»").quotes,
            ["ana's tea", "now or never"]
        );
        assert_eq!(Query::parse("re\u{ad}dis"), Query::parse("redis"));
        assert_eq!(Query::parse("\"green  tea?\" now?").quotes, ["green tea?"]);
        assert_eq!(Query::parse("我喜欢什么茶").words, ["喜欢", "喜", "欢", "茶"]);
    }

    #[test]
    fn an_exclusion_is_no_part_of_what_is_asked() {
        let seattle = Query::parse("seattle");
        let excluding = Query::parse("Seattle -lives?");
        assert_eq!(stems(&excluding), [["live"]]);
        assert_eq!(Query { excluded: Vec::new(), ..excluding }, seattle);
        assert_eq!(Query::parse("-lives").text, "");
        let parts = Query::parse("server -10.0.9 -pre-commit");
        assert_eq!(stems(&parts), [vec!["10", "0", "9"], vec!["pre", "commit"]]);
        let phrase = Query::parse("server -\"Staging servers\"");
        assert_eq!(stems(&phrase), [["stage", "server"]]);
        assert_eq!(phrase.excluded[0].phrase.as_deref(), Some("staging servers"));
        for (asked, phrase) in
            [("-\"for caching\" redis", "for caching"), ("-\"not now\" redis", "not now")]
        {
            let query = Query::parse(asked);
            assert_eq!(query.excluded[0].phrase.as_deref(), Some(phrase), "{asked}");
            assert_eq!(query.words, ["redis"], "{asked}");
        }
        assert_eq!(Query { excluded: Vec::new(), ..phrase }, Query::parse("server"));
        for kept in ["a - \"b c\"", "well-\"b c\"", "\"a b\"-\"b c\"", "server -\"?\""] {
            assert!(Query::parse(kept).excluded.is_empty(), "{kept}");
        }
        assert!(Query::parse("who \"is\" it").required.is_empty());
    }

    #[test]
    fn function_words_of_other_languages_are_left_out() {
        assert_eq!(Query::parse("Wie heißt meine Schwester?").words, ["schwester"]);
        assert_eq!(Query::parse("Où habite ma sœur et pourquoi").words, ["habite", "sœur"]);
        assert_eq!(Query::parse("¿dónde trabaja mi hermana?").words, ["trabaja", "hermana"]);
        assert_eq!(Query::parse("und").words, ["und"]);
    }
}
