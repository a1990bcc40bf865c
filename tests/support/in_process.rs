//! Verbs called by a test itself, where a value is asserted and not a screen, an exit code, a door
//! or a process: a call takes a tenth of what starting the program takes.
//!
//! Invariant: libraries and the programs that a verb starts read the environment of their process,
//! so such a test runs in a process of its own, which has the environment of a laptop's programs;
//! the environment of whoever runs the tests is never read. A workspace is opened anew for each
//! call, with the variables that the program would be given.

use super::{Laptop, folder, isolate};
use co_cli::tested::{
    documents::{add, delete, write},
    facts::{edit, list, pin, recall, save, show},
    identity::Memory,
    machine::{AddressPolicy, Context, Env, Overrides},
    upkeep::check,
    workspace::Workspace,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    thread,
};

/// Set in the process of such a test.
const APART: &str = "CO_TEST_APART";
/// What such a test needs to know of how the tests are run.
const OF_THE_RUN: [&str; 2] = ["CO_TEST_FOLDER", "CO_TEST_REQUIRE_TOOLS"];

/// The first line of a test that calls verbs: runs the whole test once more, in a process of its
/// own, and fails as it does there. True when that is done, and false in that process.
#[must_use]
pub fn ran_apart() -> bool {
    if env::var_os(APART).is_some() {
        return false;
    }
    let test = thread::current().name().expect("the name of a test").to_owned();
    let home = folder::quick();
    let mut command = Command::new(env::current_exe().expect("the tests"));
    isolate(&mut command, home.path());
    let of_the_run = OF_THE_RUN.iter().filter_map(|name| Some((name, env::var_os(name)?)));
    command.envs(of_the_run).env(APART, "1").args([&test, "--exact", "--nocapture"]);
    let output = command.output().expect("it runs");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (said(&output.stdout), said(&output.stderr));
    assert!(output.status.success() && out.contains("ok. 1 passed"), "{out}{err}");
    true
}

impl Laptop {
    /// What the program opens when it starts on this laptop.
    pub fn workspace(&self) -> Workspace {
        assert!(env::var_os(APART).is_some(), "`ran_apart` comes first");
        self.refuse_what_libraries_read();
        let given = self.command(&[]);
        let mut variables: BTreeMap<String, String> = env::vars().collect();
        for (name, value) in given.get_envs() {
            let text = |text: &std::ffi::OsStr| text.to_str().expect("text").to_owned();
            match value {
                Some(value) => drop(variables.insert(text(name), text(value))),
                None => drop(variables.remove(&text(name))),
            }
        }
        let program = PathBuf::from(given.get_program());
        let folder = given.get_current_dir().expect("a folder").to_owned();
        let env = Arc::new(Env::of(variables, program, folder).expect("an environment"));
        let context = Context::read(env, &Overrides::default()).expect("a context");
        let (workspace, restored) = Workspace::at_start(context.for_one_answer());
        assert_eq!(restored, None, "nothing was lost");
        workspace
    }

    /// A library reads its variables and files from the process, where those of this laptop are
    /// not.
    fn refuse_what_libraries_read(&self) {
        for (name, value) in &self.env {
            // Its other forms are read by a library, which finds UTC there.
            let is_zone = |value: &str| value.contains('/') || ["", "UTC"].contains(&value);
            let is_by_value = name.starts_with("CO_") || (name == "TZ" && is_zone(value));
            assert!(is_by_value, "a library may read {name}={value}: run the program");
        }
        for file in [".gitconfig", ".config/git"] {
            assert!(!self.home.join(file).exists(), "a library would read {file}: run the program");
        }
    }

    /// `co check`, as `--json` has it.
    pub fn checked(&self) -> Value {
        let report = check::run(&self.workspace(), &check::Request::default());
        json!(report.expect("checked"))
    }

    /// The files that `co check --fix` repairs.
    pub fn fixed(&self) -> Vec<String> {
        let request = check::Request { fix: true, ..check::Request::default() };
        check::run(&self.workspace(), &request).expect("checked").fixed
    }

    /// `co learn TEXT`
    pub fn learned(&self, text: &str) -> save::Report {
        let request = save::Request { text: text.to_owned(), ..save::Request::default() };
        save::run(&self.workspace(), &request).expect("learned")
    }

    /// `co recall QUESTION`, as `--json` has it.
    pub fn recalled(&self, question: &str) -> Value {
        let request = recall::Request {
            query: question.to_owned(),
            limit: recall::DEFAULT_LIMIT,
            among: recall::RecallFilter::default(),
            tally: recall::Tally::Counted,
        };
        json!(recall::run(&self.workspace(), &request).expect("answered"))
    }

    /// `co edit NUMBER -t TAG`
    pub fn tagged(&self, number: &str, tag: &str) {
        let (handle, tags) = (number.to_owned(), Some(vec![tag.to_owned()]));
        let request = edit::Request { handle, tags, ..edit::Request::default() };
        edit::run(&self.workspace(), &request).expect("edited");
    }

    /// `co pin NUMBER`, with `--off` or without.
    pub fn pinned(&self, number: &str, pin: pin::Pin) {
        let request = pin::Request { handle: number.to_owned(), scope: None, pin };
        pin::run(&self.workspace(), &request).expect("pinned");
    }

    /// What `co show NUMBER` finds.
    pub fn shown(&self, number: &str) -> Memory {
        show::find(&self.workspace(), number, None).expect("one").1.memory
    }

    /// The first lines of all memories, sorted.
    pub fn listed(&self) -> Vec<String> {
        let report = list::run(&self.workspace(), &list::Request::default());
        super::summaries(&json!({ "data": report.expect("listed") }))
    }

    /// `co knowledge write TOPIC TEXT -t TAG …`
    pub fn wrote(&self, topic: &str, text: &str, tags: &[&str]) -> write::Report {
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<String>>();
        let fields =
            write::Fields { tags: (!tags.is_empty()).then_some(tags), ..write::Fields::default() };
        let (topic, content) = (topic.to_owned(), text.to_owned());
        let request = write::Request { topic, content, fields, ..write::Request::default() };
        write::run(&self.workspace(), &request).expect("written")
    }

    /// `co knowledge add FILE --topic TOPIC`
    pub fn added(&self, file: &Path, topic: &str) -> add::Added {
        let request = add::Request {
            sources: vec![add::Source::File(file.to_owned())],
            topic: Some(topic.to_owned()),
            title: None,
            tags: Vec::new(),
            caption: None,
            scope: None,
            reach: AddressPolicy::Public,
            allowed: Default::default(),
        };
        let report = add::run(&self.workspace(), &request, &|_, _| {}).expect("added");
        assert!(report.error().is_none(), "{:?}", report.failed);
        let mut documents = report.documents;
        assert_eq!(documents.len(), 1, "{documents:?}");
        documents.remove(0)
    }

    /// `co knowledge delete --yes TOPIC`
    pub fn deleted(&self, topic: &str) {
        let workspace = self.workspace();
        let request =
            delete::Request { topics: vec![topic.to_owned()], ..delete::Request::default() };
        let plan = delete::plan(&workspace, &request).expect("a plan");
        delete::apply(&workspace, &plan).expect("deleted");
    }
}
