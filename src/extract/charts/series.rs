//! The series of a chart, and their values as a table.
//!
//! Invariant: a value stands once, in the row of its category and the column of its series.

use super::labels::{named, words};
use crate::extract::{
    number_formats,
    values::Epoch,
    xml::{attribute, child, children, own_text},
};
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The points of a list, by their places.
type Points = BTreeMap<usize, String>;

/// What a chart draws with one colour.
#[derive(Default)]
pub(super) struct Series {
    order: u32,
    name: String,
    /// Of each level, the outermost first.
    categories: Vec<Points>,
    pub(super) values: Points,
    /// Of bubbles.
    sizes: Points,
}

/// The series of a chart in their order.
pub(super) fn all_series(root: Node<'_, '_>) -> Vec<Series> {
    let is_1904 = child(root, "date1904")
        .is_some_and(|says| !matches!(attribute(says, "val"), Some("0" | "false")));
    let begins = if is_1904 { Epoch::Of1904 } else { Epoch::Of1900 };
    let mut all: Vec<Series> = named(root, &["ser"]).map(|one| series(one, begins)).collect();
    all.sort_by_key(|one| one.order);
    all.extend(named(root, &["series"]).map(|one| newer_series(root, one, begins)));
    all
}

fn series(node: Node<'_, '_>, begins: Epoch) -> Series {
    let either = |names: [&str; 2]| names.into_iter().find_map(|name| child(node, name));
    let list = |node: Node<'_, '_>| {
        named(node, &["strCache", "strLit", "numCache", "numLit"])
            .next()
            .map(|list| points(list, begins))
    };
    let levels = |node: Node<'_, '_>| -> Vec<Points> {
        let levels = named(node, &["lvl"]).map(|level| points(level, begins));
        let levels: Vec<Points> = levels.chain(list(node)).collect();
        levels.into_iter().rev().filter(|level| !level.is_empty()).collect()
    };
    let order = child(node, "order").and_then(|order| attribute(order, "val")?.parse().ok());
    Series {
        order: order.unwrap_or(u32::MAX),
        name: child(node, "tx").map(words).unwrap_or_default(),
        categories: either(["cat", "xVal"]).map(levels).unwrap_or_default(),
        values: either(["val", "yVal"]).and_then(list).unwrap_or_default(),
        sizes: child(node, "bubbleSize").and_then(list).unwrap_or_default(),
    }
}

/// Charts that came later (waterfalls, funnels, trees) keep the values of all series in one place.
fn newer_series(root: Node<'_, '_>, node: Node<'_, '_>, begins: Epoch) -> Series {
    let id = child(node, "dataId").and_then(|id| attribute(id, "val"));
    let of_series = |data: &Node<'_, '_>| attribute(*data, "id") == id;
    let data = named(root, &["data"]).find(of_series);
    let levels = |name: &str| -> Vec<Points> {
        let lists = data.into_iter().flat_map(children);
        let lists = lists.filter(|list| list.tag_name().name() == name);
        let levels = lists.flat_map(|list| named(list, &["lvl"]));
        levels.map(|level| points(level, begins)).filter(|level| !level.is_empty()).collect()
    };
    let categories = levels("strDim").into_iter().rev().collect();
    let mut numbers = levels("numDim").into_iter();
    Series {
        order: 0,
        name: child(node, "tx").map(words).unwrap_or_default(),
        categories,
        values: numbers.next().unwrap_or_default(),
        sizes: numbers.next().unwrap_or_default(),
    }
}

fn points(list: Node<'_, '_>, begins: Epoch) -> Points {
    let is_number = is_of_numbers(list) || list.parent().is_some_and(is_of_numbers);
    let code = child(list, "formatCode").map(own_text);
    let code = code.or_else(|| attribute(list, "formatCode").map(str::to_owned));
    let code = code.unwrap_or_default();
    let point = |node: Node<'_, '_>| {
        let text = child(node, "v").map_or_else(|| own_text(node), own_text);
        let shown = match attribute(node, "formatCode") {
            _ if !is_number => text.trim().to_owned(),
            Some(own) => number_formats::formatted(&text, own, begins),
            None => number_formats::formatted(&text, &code, begins),
        };
        let at = attribute(node, "idx")?.parse::<usize>().ok()?;
        (!shown.is_empty()).then_some((at, shown))
    };
    children(list).filter(|node| node.tag_name().name() == "pt").filter_map(point).collect()
}

fn is_of_numbers(list: Node<'_, '_>) -> bool {
    matches!(list.tag_name().name(), "numCache" | "numLit" | "numDim")
}

/// The rows of a table. Series that name the same category share its row; if a series names one
/// several times, each time is a row.
#[derive(Default)]
struct Rows {
    places: HashMap<(Vec<String>, usize), usize>,
    categories: Vec<Vec<String>>,
}

impl Rows {
    /// The row of each point of a series.
    fn of(&mut self, categories: &[Points], ats: &BTreeSet<usize>) -> BTreeMap<usize, usize> {
        let mut turns: HashMap<Vec<String>, usize> = HashMap::new();
        let mut row = |at: usize| {
            let of_level = |level: &Points| level.get(&at).cloned().unwrap_or_default();
            let category: Vec<String> = categories.iter().map(of_level).collect();
            // Without a name, points are told by their places.
            let turn = if category.iter().all(String::is_empty) {
                at
            } else {
                let turns = turns.entry(category.clone()).or_default();
                *turns += 1;
                *turns
            };
            let place = self.places.entry((category.clone(), turn)).or_insert_with(|| {
                self.categories.push(category);
                self.categories.len() - 1
            });
            (at, *place)
        };
        ats.iter().map(|at| row(*at)).collect()
    }
}

/// The points of a list by their rows.
fn placed<'p>(points: &'p Points, places: &BTreeMap<usize, usize>) -> BTreeMap<usize, &'p str> {
    let cell = |(at, text): (&usize, &'p String)| Some((*places.get(at)?, text.as_str()));
    points.iter().filter_map(cell).collect()
}

/// Categories down, series across; the first row has the names of the series.
pub(super) fn table(series: &[Series]) -> Vec<Vec<String>> {
    let shared = series.iter().map(|one| &one.categories).find(|all| !all.is_empty());
    let shared = shared.map_or(&[][..], Vec::as_slice);
    let mut rows = Rows::default();
    let mut columns: Vec<(&str, BTreeMap<usize, &str>)> = Vec::new();
    for one in series {
        let own: &[Points] = if one.categories.is_empty() { shared } else { &one.categories };
        let lists = own.iter().chain([&one.values, &one.sizes]);
        let ats: BTreeSet<usize> = lists.flat_map(|points| points.keys().copied()).collect();
        let places = rows.of(own, &ats);
        columns.push((one.name.as_str(), placed(&one.values, &places)));
        if !one.sizes.is_empty() {
            columns.push(("", placed(&one.sizes, &places)));
        }
    }
    let deep = rows.categories.iter().map(Vec::len).max().unwrap_or(0);
    let names = columns.iter().map(|(name, _)| (*name).to_owned());
    let mut table: Vec<Vec<String>> = vec![vec![String::new(); deep]];
    table[0].extend(names);
    for (at, mut row) in rows.categories.into_iter().enumerate() {
        row.resize(deep, String::new());
        let cell =
            |cells: &BTreeMap<usize, &str>| cells.get(&at).copied().unwrap_or_default().to_owned();
        row.extend(columns.iter().map(|(_, cells)| cell(cells)));
        table.push(row);
    }
    table
}
