//! Proposals in an editor: what is deleted is rejected, what is changed is kept as edited.
//!
//! Invariant: the text of a proposal is indented, so that none of its lines is taken for an answer;
//! what cannot be parsed answers nothing. A person confirms the counts before anything is written.

use super::text::shown;
use crate::cli::{
    failure::{Exit, Failure},
    output, prompt,
    style::Style,
    typed,
    verb::Cli,
};
use crate::facts::review::{Answer, Proposal, Question};
use crate::foreign::{Said, said};
use crate::machine::terminal;
use std::collections::BTreeSet;

const INSTRUCTIONS: &str = "# Each proposal begins with a line such as `keep a1b2c3`; its text is \
    indented by two spaces. Change\n# the text to keep it in other words. Delete a proposal, with \
    its line, to reject it. Instead of keep:\n# merge (into the similar fact), project (stays a \
    note there), reject, skip (ask later).\n# Lines that begin with # are ignored.\n\n";
const INDENT: &str = "  ";

type EditedAnswers = Vec<(Proposal, Answer)>;

pub(super) fn answers(proposals: &[Proposal], cli: &Cli<'_>) -> Result<EditedAnswers, Failure> {
    let offered = written(proposals, cli);
    let mut text = offered.clone();
    loop {
        match terminal::edit(cli.ws, &text) {
            Ok(edited) => text = edited.unwrap_or(text),
            Err(error) => {
                if text != offered && !typed::is_kept(&error) {
                    typed::say_kept(cli, &text);
                }
                return Err(error.into());
            }
        }
        match read(&text, proposals) {
            Ok(answers) => {
                let agreed = agreed(answers, proposals.len());
                let is_lost = !agreed.as_ref().is_ok_and(|agreed| !agreed.is_empty());
                if is_lost && text != offered {
                    typed::say_kept(cli, &text);
                }
                return agreed;
            }
            Err((line, why)) => {
                let message = said!("line {}: {}; nothing was answered", line, why);
                output::say(&output::complaint(&Failure::new(Exit::Usage, message), cli.err));
                if !prompt::confirm("Edit the text again").unwrap_or(false) {
                    typed::say_kept(cli, &text);
                    return Ok(Vec::new());
                }
            }
        }
    }
}

/// Confirms the counts before anything is written.
fn agreed(answers: EditedAnswers, of: usize) -> Result<EditedAnswers, Failure> {
    let count = |is: fn(&Answer) -> bool| answers.iter().filter(|(_, answer)| is(answer)).count();
    let parts = [
        (count(|answer| matches!(answer, Answer::Accept(_))), "kept"),
        (count(|answer| matches!(answer, Answer::Merge)), "merged"),
        (count(|answer| matches!(answer, Answer::ProjectOnly)), "left with the project"),
        (count(|answer| matches!(answer, Answer::Reject)), "rejected"),
        (of - answers.len(), "postponed"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| said!("{} {}", count, what));
    let question = said!("{}: proceed", Said::joined(parts, ", "));
    if prompt::confirm_loss(question)? { Ok(answers) } else { Ok(Vec::new()) }
}

fn written(proposals: &[Proposal], cli: &Cli<'_>) -> String {
    let plain = Cli { style: Style::plain(), err: Style::plain(), ..*cli };
    let mut text = INSTRUCTIONS.to_owned();
    for proposal in proposals {
        let head = shown(proposal, None, &plain);
        let head = head.as_str().lines().next().unwrap_or_default();
        let like = match &proposal.what {
            Question::Learn { like: Some(like) } => format!(", similar to {}", like.handle),
            _ => String::new(),
        };
        // Nobody answers what a merge left, or agrees to a skill, by saving.
        let is_asked = proposal.is_look() || proposal.is_skill();
        let word = if is_asked { "skip" } else { "keep" };
        text.push_str(&format!("# {head}{like}\n{word} {}\n", proposal.id));
        for line in proposal.text.lines() {
            text.push_str(&format!("{INDENT}{line}\n"));
        }
        text.push('\n');
    }
    text
}

/// Fails with the number of the line that cannot be parsed, and why.
fn read(edited: &str, proposals: &[Proposal]) -> Result<EditedAnswers, (usize, String)> {
    let mut blocks: Vec<(&str, &Proposal, String)> = Vec::new();
    for (at, line) in edited.lines().enumerate() {
        let wrong = |why: &str| (at + 1, why.to_owned());
        if let Some(text) = line.strip_prefix(INDENT) {
            let block = blocks.last_mut();
            let (.., body) = block.ok_or_else(|| wrong("text before the first proposal"))?;
            body.push_str(&format!("{text}\n"));
        } else if line.trim().is_empty() {
            if let Some((.., body)) = blocks.last_mut() {
                body.push('\n');
            }
        } else if !line.starts_with('#') {
            let (word, id) = line.split_once(' ').unwrap_or((line, ""));
            let proposal = proposals.iter().find(|proposal| proposal.id == id.trim());
            let proposal = proposal.ok_or_else(|| {
                wrong("no proposal has this ID; the text of a proposal is indented by two spaces")
            })?;
            if !["keep", "merge", "project", "reject", "drop", "skip"].contains(&word) {
                return Err(wrong("write keep, merge, project, reject or skip"));
            }
            if blocks.iter().any(|(_, known, _)| known.id == proposal.id) {
                return Err(wrong("this proposal appears twice"));
            }
            blocks.push((word, proposal, String::new()));
        }
    }
    let there: BTreeSet<&str> =
        blocks.iter().map(|(_, proposal, _)| proposal.id.as_str()).collect();
    if there.is_empty() {
        return Err((
            1,
            "no proposal is left; to reject one, write `reject` instead of `keep`".to_owned(),
        ));
    }
    let gone = proposals.iter().filter(|proposal| {
        // What a merge left cannot be rejected; it is asked again, and so is a skill.
        let is_asked = proposal.is_look() || proposal.is_skill();
        !is_asked && !there.contains(proposal.id.as_str())
    });
    let mut answers: EditedAnswers =
        gone.map(|proposal| (proposal.clone(), Answer::Reject)).collect();
    for (word, proposal, body) in &blocks {
        let is_new = matches!(proposal.what, Question::Learn { .. });
        let (new, old) = (body.trim(), proposal.text.trim());
        let answer = match *word {
            "keep" if is_new && new != old => Answer::Accept(Some(new.to_owned())),
            "keep" => Answer::Accept(None),
            "merge" => Answer::Merge,
            "project" => Answer::ProjectOnly,
            "skip" => continue,
            _ => Answer::Reject,
        };
        answers.push(((*proposal).clone(), answer));
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::ContentHash;

    fn proposal(id: &str, text: &str) -> Proposal {
        let hash = ContentHash::of_body(text);
        let what = Question::Learn { like: None };
        Proposal { id: id.to_owned(), ..Proposal::of(hash, what, text.to_owned()) }
    }

    fn answers(edited: &str) -> Result<Vec<(String, Answer)>, usize> {
        let all = [proposal("aaaaaa", "One."), proposal("bbbbbb", "Two."), proposal("cccccc", "3")];
        let named = |(proposal, answer): (Proposal, Answer)| (proposal.id, answer);
        let read = read(edited, &all).map_err(|(line, _)| line)?;
        Ok(read.into_iter().map(named).collect())
    }

    #[test]
    fn what_is_deleted_is_rejected_and_what_is_changed_is_kept_so() {
        let edited = "# head\nkeep aaaaaa\n  One, really.\n\n# x\nskip cccccc\n  3\n";
        let wanted = vec![
            ("bbbbbb".to_owned(), Answer::Reject),
            ("aaaaaa".to_owned(), Answer::Accept(Some("One, really.".to_owned()))),
        ];
        assert_eq!(answers(edited), Ok(wanted));
    }

    #[test]
    fn a_text_is_never_taken_for_an_answer_nor_a_mistake_for_a_rejection() {
        // The text of one proposal mentions another.
        let edited =
            "keep aaaaaa\n  One.\n  reject bbbbbb\n  # and a heading\nskip bbbbbb\nskip cccccc\n";
        let text = "One.\nreject bbbbbb\n# and a heading".to_owned();
        assert_eq!(answers(edited), Ok(vec![("aaaaaa".to_owned(), Answer::Accept(Some(text)))]));
        for (edited, line) in [
            ("keep zaaaaa\n  One.\n", 1),
            ("keep aaaaaa\nkeeep bbbbbb\n", 2),
            ("keep aaaaaa\n  One.\nkeep aaaaaa\n", 3),
            ("  text\n", 1),
            ("# nothing\n", 1),
        ] {
            assert_eq!(answers(edited), Err(line), "{edited}");
        }
    }
}
