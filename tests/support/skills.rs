//! Skills that wait for a person's answer.

use super::Laptop;
use serde_json::Value;

/// The questions of `co review` about skills.
pub fn waiting(laptop: &Laptop) -> Vec<Value> {
    let all = laptop.json(&["review"])["data"]["proposals"].clone();
    let all = all.as_array().cloned().unwrap_or_default();
    all.into_iter().filter(|one| one["kind"] == "skill").collect()
}

pub fn accept(laptop: &Laptop, proposal: &Value) -> String {
    laptop.co(&["review", "accept", proposal["id"].as_str().expect("an id")])
}
