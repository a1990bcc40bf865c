//! `co help TOPIC`: help that does not belong to a single command.

use super::{environment, top_help};
use crate::cli::failure::Exit;
use crate::identity::Code;
use crate::secrets as rules;

pub const NAMES: &[&str] = &[
    "recall",
    "knowledge",
    "agents",
    "merging",
    "dotfiles",
    "json",
    "exit-codes",
    "findings",
    "secrets",
    "environment",
    "options",
];

pub fn text(name: &str) -> Option<String> {
    match name {
        "exit-codes" => Some(exit_codes()),
        "findings" => Some(findings()),
        "secrets" => Some(secrets()),
        "environment" => Some(environment::text()),
        "dotfiles" | "portability" => Some(PORTABILITY.to_owned()),
        "recall" => Some(RECALL.to_owned()),
        "knowledge" => Some(KNOWLEDGE.to_owned()),
        "agents" => Some(AGENTS.to_owned()),
        "merging" => Some(MERGING.to_owned()),
        "json" => Some(JSON.to_owned()),
        "options" => Some(top_help::options()),
        _ => None,
    }
}

const AGENTS: &str = "\
    `co agent install --all` makes co a server of each agent that is installed here, writes a marked \
    block into the instructions that it reads, and adds a skill. Everything else in its files stays \
    as it is; `co agent uninstall --all` takes all of it out again.\n\
    \n  \
    tools                      save_memory, recall_memory, list_memories, forget_memory, \
    get_context; with documents knowledge_search, knowledge_write, knowledge_list, \
    knowledge_delete, save_knowledge\n  \
    guards                     as here: a secret is refused, `co log` says which agent and which \
    session wrote, `co undo` takes a write back, `co undo --session ID` a whole session\n  \
    quotes                     what agents read stands under words that say where it is from, each \
    line behind a margin: data, not instructions\n  \
    projects                   in a folder with .co-cli facts go into it, as here; a tool takes \
    `project` for another folder\n\
    \n\
    With --hooks a session of Claude Code, Codex, Gemini CLI, Cursor, Copilot CLI and Qwen Code \
    starts with the context, again after a compaction, within 10,000 characters, and ends with a \
    sync of at most 20 seconds (Codex has no end of a session). In a bigger repository that sync pushes none of your own commits.\n\
    \n\
    `co doctor agents` starts each agent's server as the agent does. `co agent import --all` brings \
    what agents know already into the identity, after you have seen it.\n";

const RECALL: &str = "\
    How a question finds its fact, or the passage of a document:\n\
    \n  \
    words                      BM25 over text and tags, by stems; an exact phrase comes first\n  \
    meaning                    vectors of whole sentences, by an encoder in the program: \"who is my \
    boss\" finds \"I report to Sabine\". The fewer of the question's words the facts contain, \
    the more it counts\n  \
    context                    what was learned just before and after says what it is about\n  \
    dates                      \"in May 2023\", \"last week\", against when it was learned\n  \
    repair, expansion          misspelt, joined and split words; words that mean much the same\n\
    \n\
    \"quotes\", OR and -word work as in a search engine. `co recall --explain` shows what each \
    gave: words (1 for the best), meaning, tag, context, date, phrase.\n\
    \n\
    Facts and documents answer together, and each kind with good answers gets at least two places \
    out of five; `--kind memory` or `--kind document` asks for one kind alone. \
    If nothing is close enough, recall says so and names the nearest facts.\n\
    \n\
    What was read in the files, and the vectors, are kept in local/catalog.db. It is made and brought \
    up to date by itself, never synced, and can be deleted at any time. Files that came, went or \
    were replaced are seen; up to 5,000 files each is looked at, above that only the answers' own: \
    there, a sync, a check and `co knowledge reindex` find what another program changed in its \
    place. A file that contains what looks like a secret is neither copied there nor searched.\n\
    \n\
    The vector of a fact takes about 3 ms, that of a passage of a document 10. A question computes \
    up to about 25 missing ones, a sync up to a second's worth, `co mcp` the rest while it is idle; \
    `co recall --batch` and `co knowledge reindex` compute all of them. Until every fact has one, \
    averaged word vectors are used for all.\n\
    \n\
    In settings.json, with what holds without them:\n\
    \n  \
    {\"recall\": {\"meaning\": true, \"context\": true, \"dates\": true, \"repair\": true, \
    \"expansion\": true, \"encoder\": \"built-in\", \"catalog\": true, \"look_at\": 5000}}\n\
    `\"encoder\": \"off\"` falls back to word vectors; with `\"catalog\": false` every question reads all \
    files.\n\
    \n\
    Another model makes the vectors where settings.json names one; it is sent every fact and every \
    question, by curl. `meant` is the cosine, in hundredths, from which a fact without any of the \
    words is an answer. Where it cannot be reached, the table of word vectors answers:\n\
    \n  \
    {\"recall\": {\"embedder\": {\"api\": \"ollama\", \"url\": \"http://localhost:11434\", \
    \"model\": \"nomic-embed-text\", \"meant\": 60}}}\n  \
    {\"recall\": {\"embedder\": {\"api\": \"openai\", \"url\": \"https://api.openai.com/v1\", \
    \"model\": \"text-embedding-3-small\", \"key\": \"{{secret:embed-key}}\"}}}\n";

const KNOWLEDGE: &str = "\
    Documents are markdown files below knowledge/, named by their topic:\n\
    \n  \
    people/sarah               what you know of a person\n  \
    projects/carmenta/auth     of a part of a project\n  \
    decisions/jwt-vs-sessions  what was decided, and why\n  \
    meetings/2025-12-22-plan   notes, with their date first\n  \
    reference/deploy-steps     guides and checklists\n  \
    insights/…                 patterns, wisdom\n  \
    integrations/notion/…      what another service wrote\n  \
    articles/…                 what `co knowledge add` read in files and pages of the web\n  \
    deploy_steps               flat topics work as well; `co knowledge migrate` sorts them\n\
    \n\
    profile/identity, preferences, communication and boundaries are in every context, in the order \
    of `promptOrder`, and never searched. `alwaysInclude: true` or `false` in the frontmatter says \
    otherwise for any document, and `searchable` for searches alone. docs/co/… is what co says of \
    itself: read only.\n\
    \n\
    Links are read as in Obsidian: [[Note name]], [[Note|alias]], [[Note#Heading]], ![[picture.png]], \
    names from `aliases`, #tags in the text; and [text](path). They follow `co knowledge move`.\n\
    \n\
    The first heading of a document is its name, the first line below it its description. The \
    frontmatter may have title, description, tags, source, status (active, archived, draft), \
    temporal (current, historical), and type, topics and entities, which are read off the text \
    where nobody wrote them. `--tag` looks at all of these.\n\
    \n\
    What a search counts (`--explain`): words of the whole text, its two best paragraphs (by words \
    and by meaning), labels, the path, dates, exact phrases. Relevance goes from 0 to 1: how much \
    of the question the best document has or means, and how near the others come to it.\n\
    \n\
    `co context --query Q` gives the profile, and at most 10 documents of at least 0.3 in 4000 \
    tokens; the last one is cut to its first 80 and last 20 of 100. `co context` ends with up to \
    five topics whose tags are in the names of the tools that were called most in 30 days, where \
    an agent's hook reports them to `co hook tool-called`; names are kept on this laptop alone.\n\
    \n\
    Files in seed-knowledge/ beside settings.json are loaded once by `co knowledge seed`.\n";

const MERGING: &str = "\
    How two laptops become one, without conflicts:\n\
    \n  \
    different facts            all are kept; a number that two have taken is given anew, the \
    published one stays\n  \
    the same fact twice        one is kept, the older; tags are united\n  \
    one fact, edited on both   both texts are kept: the newer one in its place, the other as a \
    fact of its own\n  \
    forgotten on one           it stays forgotten, unless somebody spoke of it later\n  \
    a profile field            the newer edit wins\n  \
    lists and paragraphs       those of both sides stay; what one side took out goes\n\
    \n\
    `co diff origin` shows what a sync would bring, `co log` what it brought, `co undo` gives \
    back what this laptop lost.\n";

const JSON: &str = "\
    With --json, standard output is exactly one object, on failure too:\n\
    \n  \
    \
    {\"schema\":\"co/1\",\"command\":…,\"ok\":…,\"data\":…,\"warnings\":[…],\"error\":{\"code\",\"message\",\"hints\"}}\n\
    \n\
    `data` holds what the command found or did; `error` is null when it went well. Warnings are \
    there, and not on standard error. Keys are added over time and never change their meaning; \
    `schema` counts up if one has to. The exit code is the same as without --json.\n";

fn exit_codes() -> String {
    let line = |(exit, meaning): &(Exit, &str)| format!("  {:>2}  {meaning}\n", exit.code());
    format!("Exit codes, never renumbered:\n\n{}", Exit::ALL.iter().map(line).collect::<String>())
}

fn findings() -> String {
    let line = |code: &Code| {
        let severity =
            if code.severity() == crate::identity::Severity::Error { "error" } else { "warning" };
        let fix = if code.fixable() { ", fixable" } else { "" };
        format!("  {:<26} {severity}{fix}\n      {}\n", code.as_str(), code.explanation())
    };
    format!(
        "What `co check` finds. Errors fail (exit 1), warnings only with --strict.\n\n{}",
        Code::ALL.iter().map(line).collect::<String>()
    )
}

fn secrets() -> String {
    let width = rules::all().map(|rule| rule.id.len()).max().unwrap_or(0);
    let lines: String =
        rules::all().map(|rule| format!("  {:width$}  {}\n", rule.id, rule.what)).collect();
    SECRETS.replace("RULES", &lines)
}

const SECRETS: &str = "\
    Values live in the keyring of each laptop, the identity only names them:\n\
    \n  \
    co secret set staging-token     asks, or reads standard input; never from the command \
    line\n  \
    {{secret:staging-token}}        written in any file of the identity: a need, which `co \
    secret status` compares with the keyring\n  \
    CO_SECRET_STAGING_TOKEN         in the environment wins over the keyring, for servers and \
    CI\n\
    \n\
    settings.json may refer to them as well. \"sync\": {\"username\": \"me\", \"password\": \
    \"{{secret:git-token}}\"} logs in to an http remote; git asks co, which looks into the \
    keyring at that moment.\n\
    \n\
    What looks like a secret is refused by save, edit, import, restore and export, reported by \
    check and the pre-commit hook, and kept behind by sync, which carries the rest and the last \
    committed version of that file (exit 6). If it is none:\n\
    \n  \
    co:allow-secret                 on its line, in a comment as <!-- co:allow-secret -->, \
    lets it pass everywhere\n  \
    --allow-secret RULE             lets it pass this once; save and edit write the mark for \
    you\n\
    \n\
    The rules. Where a format has a checksum, it decides; a wrong one counts only beside words \
    like `token`:\n\
    \n\
    RULES";

const PORTABILITY: &str = "\
    Four ways to take an identity to another laptop:\n\
    \n  \
    git        co init URL, then co sync on each laptop. Facts are merged without conflicts.\n  \
    symlink    mv ~/.config/co-cli/identity ~/dotfiles/co-identity\n             \
    ln -s ~/dotfiles/co-identity ~/.config/co-cli/identity\n             \
    co follows the link; in a dotfiles repository `co sync` commits nothing but the \
    identity.\n  \
    archive    co identity export FILE on one, co diff FILE and co identity import FILE on the \
    other.\n  \
    any folder co init ~/Dropbox/co-identity, or identity_path in settings.json, or \
    CO_IDENTITY_PATH.\n\
    \n\
    What travels: profile, personality, traits, knowledge, attachments. What stays: \
    settings.json, local/, sessions/.\n\
    \n\
    Forgetting does not erase git's history. To purge a fact for good, on one laptop:\n\
    \n  \
    git filter-repo --path knowledge/memories/NNN-slug.md --invert-paths\n  \
    git push --force\n\
    \n\
    and on the others `co init URL` into a fresh folder. co itself never forces a push.\n";
