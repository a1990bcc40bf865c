//! Checks the layers of this laptop: whose place this is, and whether each layer is there.

use super::check::{Area, Check, Remedy};
use crate::transfer::layers::{self, LayerRow};
use crate::workspace::Workspace;

/// Nothing on a laptop without layers.
pub(super) fn all(ws: &Workspace) -> Vec<Check> {
    let undecided = ws.decided().err();
    let undecided = undecided.map(|error| Check::failed(Area::Layers, error, "co layer list"));
    let rows = layers::list(ws).layers;
    undecided.into_iter().chain(rows.iter().map(|row| layer(ws, row))).collect()
}

fn layer(ws: &Workspace, row: &LayerRow) -> Check {
    let folder = ws.shown(&row.folder);
    if !row.exists {
        let message = format!("{} is not read: there is no identity in {folder}", row.name);
        let mend = Remedy::command(format!("co layer remove {}", row.name));
        return Check::warning(Area::Layers, message, mend);
    }
    let what = match (row.instead, row.write) {
        (true, _) => "stands in for your own identity",
        (false, true) => "writable",
        (false, false) => "read-only",
    };
    let here = if row.active { "read here" } else { "not read here" };
    Check::ok(Area::Layers, format!("{}: {what}, {here}, in {folder}", row.name))
}
