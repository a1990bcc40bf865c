//! `co help TOPIC`: help that does not belong to a single command.

use super::{environment, layer_help, top_help};
use crate::cli::failure::Exit;
use crate::identity::Code;
use crate::secrets as rules;

pub const NAMES: &[&str] = &[
    "recall",
    "knowledge",
    "agents",
    "skills",
    "layers",
    "merging",
    "time",
    "dotfiles",
    "json",
    "exit-codes",
    "findings",
    "secrets",
    "sealed",
    "environment",
    "options",
];

pub fn text(name: &str) -> Option<String> {
    match name {
        "exit-codes" => Some(exit_codes()),
        "findings" => Some(findings()),
        "secrets" => Some(secrets()),
        "sealed" => Some(SEALED.to_owned()),
        "environment" => Some(environment::text()),
        "dotfiles" | "portability" => Some(PORTABILITY.to_owned()),
        "recall" => Some(RECALL.to_owned()),
        "knowledge" => Some(KNOWLEDGE.to_owned()),
        "agents" => Some(AGENTS.to_owned()),
        "skills" => Some(SKILLS.to_owned()),
        "layers" => Some(layer_help::TEXT.to_owned()),
        "merging" => Some(MERGING.to_owned()),
        "time" => Some(TIME.to_owned()),
        "json" => Some(JSON.to_owned()),
        "options" => Some(top_help::options()),
        _ => None,
    }
}

const SEALED: &str = "\
    A sealed remote holds your identity so that nobody can read it without a key, the host included. \
    On this laptop nothing changes: files, history and merging are as before.\n\
    \n  \
    begin              `co seal on URL`, with an empty repository; the recovery key is shown once\n  \
    another laptop     `co init URL` asks for the recovery key or the passphrase, once\n  \
    server, CI         CO_SEAL_KEY with the recovery key, where there is no keyring\n  \
    who has the keys   `co seal status`; `co seal remove NAME` ends a laptop's access to what \
    follows\n  \
    the recovery key   `co seal recovery` tries it; `--new` makes another\n  \
    end                `co seal off URL`, with an empty repository\n\
    \n\
    The host still sees that it is co, when and how often you push, how large each push is, and \
    how many laptops have keys. It can still delete everything, or hold back new pushes; pushes \
    that are missing, replaced or out of order are refused, and `co seal repair` puts lost ones \
    back. What was pushed before it was sealed stays readable until its repository is deleted. \
    Plain git stops at a sealed remote: it can neither read nor write it.\n\
    \n\
    The files are age files around git bundles; the README.md in the repository says how to open \
    them with `age` and git alone.\n";

const AGENTS: &str = "\
    `co agent install --all` connects each agent that is installed here: it adds an entry that starts \
    `co mcp` (an MCP server), a marked block in the instructions that the agent reads, and a skill. \
    Everything else in its files stays as it was; `co agent uninstall --all` removes all of it \
    again.\n\
    \n  \
    tools                      save_memory, recall_memory, list_memories, forget_memory, \
    get_context, save_handoff; if there are documents, also knowledge_search, knowledge_write, \
    knowledge_list, knowledge_delete, save_knowledge; with `co mcp --tools all`, also \
    confirm_memory\n  \
    guards                     the same as on the command line: a secret is refused, `co log` shows which agent and \
    session made a change, `co undo` undoes it, `co undo --session ID` undoes a whole session\n  \
    quotes                     what agents read is quoted as data, not instructions: each line \
    stands behind a margin, under a heading that says where it comes from\n  \
    projects                   in a folder with .co-cli, facts are saved to that project, as on the \
    command line; pass `project` to a tool for another folder\n\
    \n\
    With --hooks, a session of Claude Code, Codex, Gemini CLI, Antigravity CLI, Cursor, Copilot \
    CLI or Qwen Code starts with the context (and gets it again after a compaction), within 10,000 \
    characters, and ends with a sync of at most 20 seconds (Codex and Antigravity CLI do not \
    report the end of a session). In a bigger repository, that sync pushes none of your own \
    commits.\n\
    \n\
    `co doctor agents` starts each agent's server the way the agent does. `co agent import --all` \
    brings what agents already know into the identity, after showing it to you.\n";

const SKILLS: &str = "\
    A skill is a folder of the Agent Skills standard: SKILL.md, which begins with a name and a \
    description, and the scripts and texts that it uses. The identity has them in skills/, byte for \
    byte, and they travel with it.\n\
    \n  \
    co skill add DIR           adds a folder; your agents on this laptop may use it at once\n  \
    co skill adopt             adds what your agents have already\n  \
    co agent install --all --skills\n                             \
    lets your agents find them: a link in ~/.agents/skills, and in the folders of agents that read \
    only their own\n  \
    co review                  asks about each skill that came from elsewhere, once per content, \
    and names what in it can run: scripts, programs, `hooks:`, `allowed-tools:`, !`command`\n\
    \n\
    The links lead to copies in local/skills that you agreed to on this laptop, never to the \
    identity's own folder: what a sync or an edit by hand brings waits, and until you answer, agents \
    keep the previous version. Nobody can agree for you: agreements are not synced, rejections are. An \
    agreed skill can run what it contains, in the agent, with your rights.\n\
    \n\
    A skill with text that nobody sees, a name that breaks the standard or Windows, or without a \
    readable SKILL.md reaches no agent; `co check` says why. A skill of the same name that is not \
    co's stays as it is. `co agent uninstall` removes co's links.\n";

const RECALL: &str = "\
    How a question finds its fact, or the passage of a document:\n\
    \n  \
    words                      BM25 over text and tags, by word stem; an exact phrase comes first\n  \
    meaning                    vectors of whole sentences, from a built-in encoder: \"who is my \
    boss\" finds \"I report to Sabine\". The fewer of the question's words the facts contain, \
    the more it counts\n  \
    context                    what was learned just before and after a fact hints at what it is \
    about\n  \
    dates                      \"in May 2023\", \"last week\", compared with when it was learned\n  \
    repair, expansion          misspelt, joined and split words; words with much the same meaning\n\
    \n\
    \"quotes\" around several words, OR and -word work as in a search engine. A question mark, \
    \"please\", capitals and quotes around one word make no difference. In German, French, \
    Spanish, Italian, Portuguese and Dutch, too, words that say little are left out and other \
    forms of a word are found. `co recall --explain` shows what each signal contributed to the \
    score: words (1 for the best), meaning, tag, context, date, phrase.\n\
    \n\
    Facts and documents are ranked together, and each kind with good answers gets at least two of \
    the first five places; `--kind memory` or `--kind document` searches one kind alone. \
    After a good answer, weak ones are left out. If nothing is close enough, recall says so and \
    shows what is nearest: not an answer, but perhaps what you meant.\n\
    \n\
    local/index.db is the search index: it holds what was read from the files, and the vectors. co \
    creates and updates it by itself, never syncs it, and you can delete it at any time. co notices \
    files that were added, removed or replaced. With up to 5,000 files, it also checks each of them \
    for edits in place; with more, only those it is about to show: there, a sync, a check or `co \
    knowledge reindex` finds the other edits. A file with what looks like a secret is neither \
    indexed nor searched.\n\
    \n\
    Computing the vector of a fact takes about 3 ms, that of a document passage 10 ms. A question \
    computes up to about 25 missing ones, a sync up to a second's worth, `co mcp` the rest while it \
    is idle; `co recall --batch` and `co knowledge reindex` compute all of them. Until every fact has \
    one, averaged word vectors are used for all.\n\
    \n\
    The settings in settings.json, with their defaults:\n\
    \n  \
    {\"recall\": {\"meaning\": true, \"context\": true, \"dates\": true, \"repair\": true, \
    \"expansion\": true, \"encoder\": \"built-in\", \"catalog\": true, \"look_at\": 5000}}\n\
    `\"encoder\": \"off\"` falls back to word vectors; with `\"catalog\": false`, every question reads \
    all files.\n\
    \n\
    settings.json can name another model to compute the vectors; co sends it every fact and every \
    question. `meant` is the cosine, in hundredths, from which a fact that contains none of the \
    question's words still counts as an answer. If the model cannot be reached, the built-in word \
    vectors are used:\n\
    \n  \
    {\"recall\": {\"embedder\": {\"api\": \"ollama\", \"url\": \"http://localhost:11434\", \
    \"model\": \"nomic-embed-text\", \"meant\": 60}}}\n  \
    {\"recall\": {\"embedder\": {\"api\": \"openai\", \"url\": \"https://api.openai.com/v1\", \
    \"model\": \"text-embedding-3-small\", \"key\": \"{{secret:embed-key}}\"}}}\n";

const KNOWLEDGE: &str = "\
    Documents are markdown files below knowledge/, named by their topic:\n\
    \n  \
    people/sarah               what you know about a person\n  \
    projects/carmenta/auth     about a part of a project\n  \
    decisions/jwt-vs-sessions  what was decided, and why\n  \
    meetings/2025-12-22-plan   notes, with the date first\n  \
    reference/deploy-steps     guides and checklists\n  \
    insights/…                 patterns, lessons\n  \
    integrations/notion/…      what another service wrote\n  \
    articles/…                 text that `co knowledge add` read from files and web pages\n  \
    deploy_steps               flat topics work too; `co knowledge migrate` sorts them\n\
    \n\
    Files in profile/ (identity, preferences, …), next to knowledge/, are in every context, in the \
    order of `promptOrder`, and never searched. For any document, `alwaysInclude: true` or `false` in the \
    frontmatter overrides this, and `searchable` does so for searches alone. docs/co/… is co's own \
    documentation, which is read-only.\n\
    \n\
    co understands Obsidian's links ([[Note name]], [[Note|alias]], [[Note#Heading]], \
    ![[picture.png]]), names from `aliases`, #tags in the text, and [text](path) links. Links \
    follow `co knowledge move`. `co knowledge show TOPIC` lists the documents that link to one, and \
    for a person or project those that name it. `co knowledge related TOPIC` lists these, what it \
    links to, and the facts that name it: of one type with `--tag decision`, one link further with \
    `--steps 2`.\n\
    \n\
    The first heading of a document is its name, and the first line below it its description. The \
    frontmatter may have title, description, tags, source, status (active, archived, draft), \
    temporal (current, historical), and type, topics and entities, which are derived from the text \
    unless somebody wrote them. `--tag` searches all of these.\n\
    \n\
    What a search counts (`--explain`): words of the whole text, its two best paragraphs (by words \
    and by meaning), labels, the path, dates, exact phrases. Relevance goes from 0 to 1: how much \
    of the question the best document covers, by words or by meaning, and how close the others come \
    to it.\n\
    \n\
    `co context --query Q` gives the profile, the facts that answer, and at most 10 documents with \
    a relevance of at least 0.3, in 4000 tokens; from a document that does not fit as a whole, it gives the passages that \
    match best, with their headings and the text around them. `co context` ends with up to five \
    topics whose tags are in the names of the tools that were called most in the last 30 days, if an agent's hook reports them to `co hook tool-called`; these names never leave \
    this laptop.\n\
    \n\
    `co knowledge seed` loads the files in seed-knowledge/, next to settings.json, once.\n";

const MERGING: &str = "\
    How two laptops merge, without conflicts:\n\
    \n  \
    different facts            all are kept; if two have the same number, the one that was pushed \
    first keeps it\n  \
    the same fact twice        the older one is kept, with the tags of both\n  \
    one fact, edited on both   edits of different lines are combined; otherwise both texts are \
    kept: the newer one keeps the number, the other becomes a separate fact\n  \
    forgotten on one           it stays forgotten, unless it was learned again later, or another laptop edited it\n  \
    a profile field            the newer edit wins\n  \
    lists and paragraphs       what either side added is kept; what one side removed is removed\n  \
    a document                 merged line by line; where both changed the same lines, the newer \
    ones are kept, and sync names the commit that has the others; lines that both added stay\n\
    \n\
    `co diff origin` previews a sync, `co log` shows what it changed, and `co undo` restores this \
    laptop's version.\n";

const TIME: &str = "\
    Two times, and how to ask for each:\n\
    \n  \
    --at TIME                  what co knew then, and what held at that moment as far as it knew\n  \
    --on TIME                  what held then, as co knows it today; together with --at, as it was \
    known at that time\n\
    \n\
    Both are options of list, recall, show, context and log. In the log, --at shows what had been done by \
    then, and --on what was done on that day. Six examples:\n\
    \n  \
    co list --at yesterday                  the facts that co had when yesterday ended\n  \
    co recall home --on \"march 2025\"        what held when March 2025 ended, as known today\n  \
    co show 12 --at \"last friday 17:05\"     fact 12 as it was then\n  \
    co context --at o42                     what an agent would have read after operation 42\n  \
    co log --on \"14 Feb 2026\"               what was done on that day\n  \
    co recall garden --since \"3 weeks ago\"  only facts learned on that day or later\n\
    \n\
    What a fact says of its time, as options of learn and edit (`none` removes one):\n\
    \n  \
    --until DATE               it holds until then, the last day included\n  \
    --from DATE                it holds from then on\n  \
    --check-after SPAN|DATE    ask again whether it holds (6mo, 90d, 2027-01-01); `co confirm 12` says \
    so, and it is due again after as long\n  \
    --replaces HANDLE          it replaces that fact, from its first day on\n\
    \n\
    What can be written for a time:\n\
    \n  \
    a day                      today, yesterday, tomorrow, friday, last friday, next monday, 14 Feb, \
    14 Feb 2026, 2026-02-14, 14.2.2026, 14.2., the 14th\n  \
    several days               march 2025, last month, this week, 2025\n  \
    one end of them            end of month, end of next week, end of 2026, start of january; eow, eom\n  \
    from now                   3 weeks ago, 2 days ago, in 2 months, 2 hours ago, a week from now; 90d, 2w, 6mo, 1y\n  \
    a time of day              17:05, 5pm, yesterday 17:05, 2026-02-14 17:05\n  \
    a moment                   2026-02-14T17:05:30, 2026-02-14T17:05:30+01:00, now\n  \
    only after --at            o42 (an operation of `co log`), HEAD~3 (a revision of git)\n\
    \n\
    Several days count to the end of the last one, a day to its end, and 17:05 to the end of that \
    minute; where several days fit (friday, 14 Feb, 17:05), --at, --on and --since take the latest that \
    has begun, and the options of learn and edit the next. --from begins with the first of several \
    days, and a time of day is that moment. Days are yours: those of the time zone in your profile, else of this laptop's.\n";

const JSON: &str = "\
    With --json, standard output is exactly one object, even on failure:\n\
    \n  \
    \
    {\"schema\":\"co/1\",\"command\":…,\"ok\":…,\"data\":…,\"warnings\":[…],\"error\":{\"code\",\"message\",\"hints\"}}\n\
    \n\
    `data` is what the command found or did; `error` is null on success. Warnings are in the object, \
    not on standard error. Keys may be added over time but never change their meaning; if one has to, \
    `schema` becomes co/2. The exit code is the same as without --json. `co recall --batch` first prints \
    an object for each question.\n";

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
        "What `co check` reports. It fails (exit 1) on errors, and with --strict also on warnings.\n\n{}",
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
    Values are kept in the keyring of each laptop; the identity only names them:\n\
    \n  \
    co secret set staging-token     asks, or reads standard input; never from the command \
    line\n  \
    {{secret:staging-token}}        in any file of the identity: says that the value is needed; `co \
    secret status` checks whether the keyring has it\n  \
    CO_SECRET_STAGING_TOKEN         in the environment: overrides the keyring, for servers and \
    CI\n\
    \n\
    settings.json may refer to them as well. \"sync\": {\"username\": \"me\", \"password\": \
    \"{{secret:git-token}}\"} logs in to an HTTP remote; git asks co, which reads the keyring at that \
    moment.\n\
    \n\
    What looks like a secret is refused by save, edit, import, restore and export (exit 6), and \
    reported by check and the pre-commit hook. Sync holds the file back, pushes everything else and \
    the last committed version of that file, and also ends with exit 6. If this is not a \
    secret:\n\
    \n  \
    co:allow-secret                 on its line, in a comment as <!-- co:allow-secret -->, \
    allows it everywhere\n  \
    --allow-secret RULE             allows it for this command; save and edit also write the \
    mark into the text\n\
    \n\
    The rules. If a format has a checksum, the checksum decides; a match with a wrong one counts only \
    next to words like `token`:\n\
    \n\
    RULES";

const PORTABILITY: &str = "\
    Four ways to bring an identity to another laptop:\n\
    \n  \
    git        co init URL, then co sync on each laptop. Facts are merged without conflicts.\n  \
    dotfiles   co identity move ~/dotfiles, then co sync; on the next laptop, clone the dotfiles \
    and run co init ~/dotfiles/co-identity. There, `co sync` commits nothing but the identity. A \
    symlink from ~/.config/co-cli/identity works, too.\n  \
    archive    co identity export FILE on one, then co diff FILE and co identity import FILE on the \
    other.\n  \
    folder     co init ~/Dropbox/co-identity, for a folder that another program syncs, in place of \
    `co sync`. `co check --fix` merges the conflict copies that such programs make.\n\
    \n\
    Synced: everything in the identity folder. Not synced: settings.json, local/ and \
    sessions/.\n\
    \n\
    Forgetting does not erase git's history. To purge a fact for good, rewrite a fresh clone:\n\
    \n  \
    git clone URL purged && cd purged\n  \
    git filter-repo --path knowledge/memories/NNN-slug.md --invert-paths\n  \
    git remote add origin URL\n  \
    git push --force --all origin\n\
    \n\
    Pass `--path` for every name that the file has had; in a bigger repository put the identity's \
    folder in front. Then start afresh on every laptop, this one too: move the old identity away \
    and `co init URL`; a sync of an old one brings the fact back. co itself never forces a push.\n";
