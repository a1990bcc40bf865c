//! Reads and writes the settings file.
//!
//! Invariant: a fault reports the file and the line, but never the value, which may be a secret.

use super::{
    ALL, Settings,
    fault::{Concern, Fault, Section},
    key::Key,
    keys,
};
use crate::machine::{
    batch::{Batch, Outcome},
    error::SystemError,
    files,
};
use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{Object, Value as Node},
    common::Ranged,
};
use serde_json::Value;
use std::path::Path;

/// Defaults when there is no file; `shown` is its name in what is said of it.
pub fn read(path: &Path, shown: &str) -> Settings {
    match files::read(path) {
        Ok(bytes) => bytes.map_or_else(Settings::default, |bytes| parse(shown, &bytes)),
        Err(error) => Settings {
            faults: vec![Fault {
                file: shown.to_owned(),
                line: None,
                message: error.to_string(),
                concern: Concern::Everything,
            }],
            ..Settings::default()
        },
    }
}

/// Writes the file if it still has the content that was read.
pub fn write(path: &Path, before: Option<&[u8]>, after: &str) -> Result<Outcome, SystemError> {
    if let Some(folder) = path.parent() {
        files::make_dir(folder)?;
    }
    let mut batch = Batch::default();
    let outcome = batch.write(path, before, after.as_bytes())?;
    batch.settle();
    Ok(outcome)
}

/// The settings in the file's content.
pub fn parse(shown: &str, bytes: &[u8]) -> Settings {
    let whole = String::from_utf8_lossy(bytes);
    let text = whole.trim_start_matches('\u{feff}');
    let fault = |(at, message, concern): SettingProblem| Fault {
        file: shown.to_owned(),
        line: Some(line_of(text, at)),
        message,
        concern,
    };
    let broken = |at, message: String| Settings {
        faults: vec![fault((at, message, Concern::Everything))],
        ..Settings::default()
    };
    if let Err(error) = std::str::from_utf8(bytes) {
        return broken(error.valid_up_to(), "not UTF-8 text".to_owned());
    }
    let parsed = jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &options());
    let root = match parsed.map(|parsed| parsed.value) {
        Ok(Some(Node::Object(root))) => root,
        Ok(None) => return Settings::default(),
        Ok(Some(other)) => return broken(other.start(), "not a JSON object".to_owned()),
        Err(error) => {
            return broken(error.range().start, format!("not valid JSON: {}", error.kind()));
        }
    };
    let (value, found) = usable(&root);
    let is_set = |key: &&Key| {
        let at = key.path().iter().try_fold(&value, |value, name| value.get(name));
        at.is_some()
    };
    let named = ALL.iter().filter(is_set).map(|key| key.name).collect();
    let faults: Vec<Fault> = found.into_iter().map(fault).collect();
    match serde_json::from_value::<Settings>(value.clone()) {
        Ok(settings) => Settings { faults, named, ..settings }.careful(),
        Err(_) => broken(0, "its values do not fit together".to_owned()),
    }
}

impl Settings {
    /// On faults in the recall section, no index is written and no endpoint is used; on faults in
    /// the agents section, no notes are shared, and agents have to ask.
    fn careful(mut self) -> Settings {
        let of_recall = Concern::Section(Section::Recall);
        if self.faults.iter().any(|fault| fault.concern == of_recall) {
            self.recall.index = false;
        }
        let of_agents = Concern::Section(Section::Agents);
        if self.faults.iter().any(|fault| fault.concern == of_agents) {
            self.agents.notes.share.clear();
            self.agents.remember.ask = vec!["*".to_owned()];
            self.agents.project_names = false;
        }
        self
    }
}

/// The position of a problem, its message, and what it prevents.
type SettingProblem = (usize, String, Concern);

/// The valid part of the file, and the problems. Null is treated as unset.
fn usable(root: &Object<'_>) -> (Value, Vec<SettingProblem>) {
    let mut found = Vec::new();
    let mut value = Value::from(Node::Object(root.clone()));
    without_nulls(&mut value);
    for key in ALL.iter() {
        let Some(node) = node(root, &key.path()) else { continue };
        if let Err(why) = key.kind.refuse(&Value::from(node.clone())) {
            let message = format!("{} {why}", key.name);
            found.push((node.start(), message, Concern::Section(key.section)));
            take_out(&mut value, &key.path());
        }
    }
    for group in keys::groups() {
        let is_no_object =
            |node: &&Node<'_>| !matches!(node, Node::Object(_) | Node::NullKeyword(_));
        let path: Vec<&str> = group.split('.').collect();
        if let Some(node) = node(root, &path).filter(is_no_object) {
            let first = ALL.iter().find(|key| key.path().starts_with(&path));
            let concern = first.map_or(Concern::Nothing, |key| Concern::Section(key.section));
            found.push((node.start(), format!("{group} must be an object"), concern));
            take_out(&mut value, &path);
        }
    }
    if let Some(embedder) = node(root, &["recall", "embedder"])
        && let Some(lacking) = lacking(&value)
    {
        let message = format!("recall.embedder needs {lacking}");
        found.push((embedder.start(), message, Concern::Section(Section::Recall)));
        take_out(&mut value, &["recall", "embedder"]);
    }
    let unknown = unknown(root, "").into_iter();
    found.extend(unknown.map(|(at, message)| (at, message, Concern::Nothing)));
    (value, found)
}

fn without_nulls(value: &mut Value) {
    if let Some(object) = value.as_object_mut() {
        object.retain(|_, below| !below.is_null());
        object.values_mut().for_each(without_nulls);
    }
}

/// JSON with comments and trailing commas.
fn options() -> ParseOptions {
    ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        ..ParseOptions::default()
    }
}

fn node<'a, 'b>(root: &'b Object<'a>, path: &[&str]) -> Option<&'b Node<'a>> {
    let (first, rest) = path.split_first()?;
    let below =
        &root.properties.iter().rev().find(|property| property.name.as_str() == *first)?.value;
    match (rest, below) {
        ([], below) => Some(below),
        (rest, Node::Object(object)) => node(object, rest),
        _ => None,
    }
}

fn take_out(value: &mut Value, path: &[&str]) {
    let (last, groups) = path.split_last().expect("because a key has a name");
    let mut within = Some(value);
    for group in groups {
        within = within.and_then(|value| value.get_mut(group));
    }
    if let Some(object) = within.and_then(Value::as_object_mut) {
        object.remove(*last);
    }
}

/// The missing keys without which an embedder cannot be used.
fn lacking(value: &Value) -> Option<String> {
    let embedder = value.get("recall")?.get("embedder")?.as_object()?;
    let lacking = |name: &&str| !embedder.contains_key(*name);
    let names: Vec<&str> = ["api", "url", "model"].into_iter().filter(lacking).collect();
    (!names.is_empty()).then(|| names.join(" and "))
}

/// Unknown keys, with what was probably meant.
fn unknown(object: &Object<'_>, above: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for property in &object.properties {
        let name = format!("{above}{}", property.name.as_str());
        let is_group = ALL.iter().any(|key| key.name.starts_with(&format!("{name}.")));
        match (&property.value, is_group) {
            (Node::Object(below), true) => found.extend(unknown(below, &format!("{name}."))),
            (_, true) => {}
            _ if keys::find(&name).is_some() => {}
            _ => found.push((property.start(), unknown_key(&name))),
        }
    }
    found
}

/// The message for an unknown key.
pub fn unknown_key(name: &str) -> String {
    match keys::nearest(name) {
        Some(meant) => format!("unknown setting `{name}`; did you mean `{meant}`?"),
        None => format!("unknown setting `{name}`"),
    }
}

fn line_of(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    before.matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Settings {
        parse("settings.json", text.as_bytes())
    }

    fn faults_of(text: &str) -> Vec<String> {
        read(text).faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn comments_a_byte_order_mark_and_nothing_at_all_are_fine() {
        let text = "\u{feff}{\n  // slow network\n  \"sync\": {\"timeout\": 40,},\n}\n";
        let settings = read(text);
        assert_eq!((settings.sync.timeout, settings.faults.len()), (40, 0));
        assert_eq!(faults_of(""), Vec::<String>::new());
        assert_eq!(faults_of("{}"), Vec::<String>::new());
        assert_eq!(faults_of("{\"sync\": {\"branch\": null}}"), Vec::<String>::new());
    }

    #[test]
    fn what_is_wrong_has_its_line_and_costs_only_itself() {
        let text =
            "{\n\"sync\": {\n  \"timeout\": \"fast\",\n  \"remote\": \"up\"\n},\n\"recal\": {}\n}";
        let settings = read(text);
        assert_eq!((settings.sync.timeout, settings.sync.remote.as_str()), (20, "up"));
        assert_eq!(
            faults_of(text),
            [
                "settings.json, line 3: sync.timeout must be a whole number from 1 to 3600",
                "settings.json, line 6: unknown setting `recal`; did you mean `recall`?"
            ]
        );
        assert!(settings.refuse(&[Section::Sync]).is_err());
        assert!(settings.refuse(&[Section::Place]).is_ok());
        let half = read("{\"sync\": {\"remote\": \"up\"");
        assert!(half.refuse(&[Section::Place]).is_err());
        assert!(half.refuse(&[]).is_ok());
        assert!(faults_of("{\n\"sync\": 4}")[0].ends_with("line 2: sync must be an object"));
        assert!(faults_of("[1]")[0].ends_with("line 1: not a JSON object"));
    }

    #[test]
    fn a_null_is_no_value() {
        for key in ALL.iter() {
            let mut value = "null".to_owned();
            for name in key.path().into_iter().rev() {
                value = format!("{{\"{name}\": {value}}}");
            }
            // An embedder with only nulls lacks everything.
            let is_part = key.name.starts_with("recall.embedder.");
            assert_eq!(faults_of(&value).is_empty(), !is_part, "{value}: {:?}", faults_of(&value));
            assert!(read(&value).named.iter().all(|name| *name == "recall.embedder"), "{value}");
        }
        assert!(faults_of("{\"sync\": null, \"knowledge\": null}").is_empty());
    }

    #[test]
    fn half_an_embedder_is_none() {
        let text = "{\"recall\": {\"embedder\": {\"api\": \"ollama\", \"url\": \"http://x\"}}}";
        assert!(read(text).recall.embedder.is_none());
        assert!(faults_of(text)[0].ends_with("recall.embedder needs model"));
    }
}
