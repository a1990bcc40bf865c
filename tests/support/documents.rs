//! The documents that `co knowledge` lists.

use serde_json::Value;

pub fn topics(said: &Value) -> Vec<String> {
    let entries = said["data"]["results"].as_array().or(said["data"]["entries"].as_array());
    let topic = |entry: &Value| entry["topic"].as_str().expect("a topic").to_owned();
    entries.expect("entries").iter().map(topic).collect()
}
