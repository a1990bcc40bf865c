//! What a chart of an Office file says: its titles, its labels, and its values as a table.
//!
//! Invariant: values are those that the chart itself keeps, so no other file is read for them; each
//! stands once, in the row of its category and the column of its series.

mod labels;
mod series;

use super::{
    Unreadable,
    archive::{Archive, unless_broken},
    blocks::Block,
    parts::Relations,
    xml::{self, child, own_text},
};
use labels::{named, words};
use roxmltree::Node;
use series::{all_series, table};
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Chart {
    /// Its titles and labels.
    pub(super) lines: Vec<String>,
    /// The header, and then a row for each category.
    pub(super) rows: Vec<Vec<String>>,
    /// Whether nothing of it is lost.
    pub(super) is_whole: bool,
    /// The cells that all of its values are taken from; none if it has some of its own.
    pub(super) sources: Vec<String>,
}

impl Chart {
    /// The chart that an element refers to. Nothing is whole of one that is missing or broken.
    pub(super) fn of(
        archive: &Archive<'_>,
        relations: &Relations,
        node: Node<'_, '_>,
    ) -> Result<Chart, Unreadable> {
        let part = xml::relation(node).and_then(|id| relations.target(id));
        let Some(part) = part else { return Ok(Chart::default()) };
        unless_broken(drawn(archive, part))
    }

    /// Leaves the values to the sheets of a workbook if all of them stand in their cells.
    pub(super) fn leave_to<S>(&mut self, sheets: &HashMap<String, S>) {
        let is_there = |cells: &String| {
            // Newer charts refer to cells by names that Excel makes.
            cells.starts_with("_xlchart")
                || sheet_of(cells).is_some_and(|sheet| sheets.contains_key(&sheet))
        };
        if !self.sources.is_empty() && self.sources.iter().all(is_there) {
            self.rows.clear();
            self.is_whole = true;
        }
    }

    pub(super) fn blocks(self) -> Vec<Block> {
        let mut blocks: Vec<Block> =
            self.lines.iter().filter_map(|line| Block::paragraph(line)).collect();
        blocks.extend(Block::table(self.rows));
        blocks
    }

    /// The same where no table can stand: within a cell.
    pub(super) fn paragraphs(self) -> Vec<Block> {
        let rows = self.rows.iter().map(|cells| cells.join(" "));
        let lines = self.lines.iter().cloned().chain(rows);
        lines.filter_map(|line| Block::paragraph(&line)).collect()
    }
}

/// The sheet of `Sheet1!$A$1`, `'My sheet'!A1` or `(Sheet1!$A$1,Sheet1!$A$3)`.
fn sheet_of(cells: &str) -> Option<String> {
    let (sheet, _) = cells.trim_start_matches('(').split_once('!')?;
    let quoted = sheet.strip_prefix('\'').and_then(|sheet| sheet.strip_suffix('\''));
    Some(quoted.map_or_else(|| sheet.to_owned(), |sheet| sheet.replace("''", "'")))
}

fn drawn(archive: &Archive<'_>, part: &str) -> Result<Chart, Unreadable> {
    let Some(bytes) = archive.member(part)? else { return Ok(Chart::default()) };
    let text = xml::text(&bytes);
    let document = xml::parsed(&text, "chart")?;
    let mut chart = said(document.root_element());
    // Shapes that somebody drew on it are a part of their own.
    let beside = unless_broken(Relations::read(archive, part))?;
    for shapes in beside.of_kind("chartUserShapes") {
        let Some(bytes) = unless_broken(archive.member(shapes))? else { continue };
        let text = xml::text(&bytes);
        let Ok(document) = xml::parsed(&text, "chart") else { continue };
        let texts = named(document.root_element(), &["txBody"]).map(words);
        chart.lines.extend(texts.filter(|text| !text.is_empty()));
    }
    Ok(chart)
}

fn said(root: Node<'_, '_>) -> Chart {
    let series = all_series(root);
    let labels = named(root, &LABELS).map(words);
    let names = named(root, &["trendline"]).filter_map(|line| Some(own_text(child(line, "name")?)));
    Chart {
        lines: labels.chain(names).filter(|line| !line.trim().is_empty()).collect(),
        rows: table(&series),
        is_whole: series.is_empty() || series.iter().any(|one| !one.values.is_empty()),
        sources: sources(root),
    }
}

/// What has words that somebody wrote.
const LABELS: [&str; 4] = ["title", "dLbl", "dispUnitsLbl", "trendlineLbl"];

/// Where the values are taken from; none if some are written in the chart itself.
fn sources(root: Node<'_, '_>) -> Vec<String> {
    let is_own = |series: Node<'_, '_>| {
        let name = child(series, "tx").and_then(|name| child(name, "v"));
        name.is_some() || named(series, &["numLit", "strLit"]).next().is_some()
    };
    if named(root, &["ser"]).any(is_own) {
        return Vec::new();
    }
    named(root, &["f"]).map(own_text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(xml: &str) -> Chart {
        let document = xml::parsed(xml, "chart").expect("XML");
        said(document.root_element())
    }

    fn list(kind: &str, texts: &[&str]) -> String {
        let point = |(at, text): (usize, &&str)| format!("<pt idx=\"{at}\"><v>{text}</v></pt>");
        let points: String = texts.iter().enumerate().map(point).collect();
        format!("<{kind}><ptCount val=\"{}\"/>{points}</{kind}>", texts.len())
    }

    fn rows(chart: &Chart) -> Vec<String> {
        chart.rows.iter().map(|cells| cells.join("|")).collect()
    }

    #[test]
    fn categories_go_down_and_series_across() {
        let series = |order: u32, name: &str, values: &[&str]| {
            format!(
                "<ser><order val=\"{order}\"/><tx><strRef><f>S!A1</f>{}</strRef></tx><cat>{}</cat>\
                 <val>{}</val></ser>",
                list("strCache", &[name]),
                list("strCache", &["spring", "autumn"]),
                list("numCache", values)
            )
        };
        let title =
            "<title><tx><rich><p><r><t>Har</t></r><r><t>vest</t></r></p></rich></tx></title>";
        let hidden = format!("<extLst>{}</extLst>", series(9, "hidden", &["9"]));
        let (pears, plums) = (series(1, "pears", &["5.0"]), series(0, "plums", &["1", "2.5"]));
        let chart = read(&format!(
            "<chartSpace><chart>{title}<plotArea><bar>{pears}{plums}{hidden}</bar><valAx><title><tx>\
             <strRef>{}</strRef></tx></title></valAx></plotArea></chart></chartSpace>",
            list("strCache", &["Baskets"])
        ));
        assert_eq!(chart.lines, ["Harvest", "Baskets"]);
        assert_eq!(rows(&chart), ["|plums|pears", "spring|1|5", "autumn|2.5|"]);
        assert!(chart.is_whole);
    }

    #[test]
    fn points_without_common_categories_have_rows_of_their_own() {
        let series = |x: &[&str], y: &[&str]| {
            let (x, y) = (list("numLit", x), list("numLit", y));
            format!("<ser><xVal>{x}</xVal><yVal>{y}</yVal></ser>")
        };
        let (one, two) = (series(&["1", "2"], &["10", "20"]), series(&["2", "2"], &["7", "8"]));
        let chart = read(&format!("<chartSpace>{one}{two}</chartSpace>"));
        assert_eq!(rows(&chart), ["||", "1|10|", "2|20|7", "2||8"]);
        assert!(chart.sources.is_empty());
        let bare =
            format!("<chartSpace><ser><val>{}</val></ser></chartSpace>", list("numLit", &["3"]));
        assert_eq!(rows(&read(&bare)), ["", "3"]);
    }

    #[test]
    fn levels_days_and_bubbles_are_columns() {
        let levels = "<multiLvlStrCache><lvl><pt idx=\"0\"><v>Q1</v></pt><pt idx=\"1\"><v>Q2</v></pt>\
            </lvl><lvl><pt idx=\"0\"><v>2024</v></pt></lvl></multiLvlStrCache>";
        let values = list("numCache", &["1", "2"]);
        let chart =
            format!("<chartSpace><ser><cat>{levels}</cat><val>{values}</val></ser></chartSpace>");
        assert_eq!(rows(&read(&chart)), ["||", "2024|Q1|1", "|Q2|2"]);
        let days =
            "<numCache><formatCode>d/m/yyyy</formatCode><pt idx=\"0\"><v>44197</v></pt></numCache>";
        let sizes = list("numCache", &["30"]);
        let chart = format!(
            "<chartSpace><ser><xVal>{days}</xVal><yVal>{}</yVal><bubbleSize>{sizes}</bubbleSize></ser>\
             </chartSpace>",
            list("numCache", &["4"])
        );
        assert_eq!(rows(&read(&chart)), ["||", "2021-01-01|4|30"]);
    }

    #[test]
    fn newer_charts_keep_their_values_beside_the_series() {
        let data = "<chartData><data id=\"0\"><strDim type=\"cat\"><f>S!A1</f><lvl><pt idx=\"0\">in\
            </pt><pt idx=\"1\">out</pt></lvl></strDim><numDim><lvl formatCode=\"General\">\
            <pt idx=\"0\">5.0</pt><pt idx=\"1\">-2</pt></lvl></numDim></data></chartData>";
        let chart = read(&format!(
            "<chartSpace>{data}<chart><title><tx><txData><v>Flow</v></txData><rich><p><r><t>Flow</t></r>\
             </p></rich></tx></title><series><tx><txData><v>cash</v></txData></tx><dataId val=\"0\"/>\
             </series></chart></chartSpace>"
        ));
        assert_eq!(chart.lines, ["Flow"]);
        assert_eq!(rows(&chart), ["|cash", "in|5", "out|-2"]);
    }

    #[test]
    fn values_that_stand_in_a_sheet_are_left_to_it() {
        let of = |cells: &str| {
            let values = list("numCache", &["1"]);
            read(&format!(
                "<chartSpace><ser><val><numRef><f>{cells}</f>{values}</numRef></val></ser></chartSpace>"
            ))
        };
        let sheets = HashMap::from([("Plan".to_owned(), ()), ("It's".to_owned(), ())]);
        for (cells, is_left) in [
            ("Plan!$A$1", true),
            ("'It''s'!$A$1:$A$9", true),
            ("(Plan!$A$1,Plan!$A$3)", true),
            ("Other!$A$1", false),
            ("[1]Plan!$A$1", false),
            ("name", false),
        ] {
            let mut chart = of(cells);
            chart.leave_to(&sheets);
            assert_eq!(chart.rows.is_empty(), is_left, "{cells}");
        }
        let lost =
            read("<chartSpace><ser><val><numRef><f>S!A1</f></numRef></val></ser></chartSpace>");
        assert!(!lost.is_whole);
    }
}
