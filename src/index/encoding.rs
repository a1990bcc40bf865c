//! Vectors of the encoder: computed within a time budget, stored in the index, and used only if
//! every text has one.
//!
//! Invariant: a question never waits longer than its budget; missing vectors only worsen the
//! ranking. The encoder is loaded lazily, and at most once per process.

use super::{
    IndexSpec, Opened,
    database::{Index, IndexError, Searchable, Unit},
    rows::{Prepared, word_vector},
    store::Store,
    texts,
};
use crate::machine::{
    Context,
    settings::{EncoderChoice, RecallSettings},
};
use crate::recall::{
    embed::Vector,
    encoder::Encoder,
    vectors::{Packed, Vectors},
};
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::OnceLock,
    time::Duration,
};

/// How much to encode before answering a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    /// A delay that a user does not notice.
    Blink,
    /// No limit: many questions follow, or somebody asked for it.
    All,
}

/// Bytes of text encoded per millisecond, after [`START`]; only the beginning of a long text is
/// read. Measured on two cores: 26 tokens 3 ms, 128 tokens 9 ms.
const BYTES_OF_A_MILLISECOND: usize = 80;
const START: usize = 2;
const MAX_LEN: usize = 600;
const BLINK: usize = 100;
/// Batch size for encoding and writing.
const TOGETHER: usize = 64;

fn milliseconds(text: &str) -> usize {
    START + text.len().min(MAX_LEN) / BYTES_OF_A_MILLISECOND
}

fn encoder() -> &'static Encoder {
    static ENCODER: OnceLock<Encoder> = OnceLock::new();
    ENCODER.get_or_init(Encoder::load)
}

/// How texts and questions get their vectors.
#[derive(Clone, Copy)]
pub(crate) struct Encoding<'a> {
    settings: &'a RecallSettings,
    budget: Budget,
}

impl<'a> Encoding<'a> {
    pub(crate) fn of(context: &'a Context, budget: Budget) -> Encoding<'a> {
        Encoding { settings: &context.settings.recall, budget }
    }

    /// Off if an endpoint is configured instead.
    pub(crate) fn is_on(&self) -> bool {
        let RecallSettings { encoder, signals, embedder, .. } = self.settings;
        *encoder == EncoderChoice::BuiltIn && signals.meaning && embedder.is_none()
    }

    pub(crate) fn question(&self, text: &str) -> Option<Packed> {
        self.is_on().then(|| encoder().vector(text).packed())
    }

    /// No vectors: these texts are searched lexically and do not disable semantic search of others.
    pub(crate) fn of_none(&self, count: usize) -> Option<Vectors> {
        self.is_on().then(|| Vectors::empty(count))
    }
}

fn encoded_texts(texts: &[&str]) -> Vec<Packed> {
    if texts.is_empty() {
        return Vec::new();
    }
    encoder().vectors(texts).iter().map(Vector::packed).collect()
}

/// Gives texts their vectors before they are stored, as far as the budget allows.
pub(super) struct EncodedAtOnce {
    /// Estimated milliseconds that are left; `None` without a limit.
    left: Option<usize>,
}

impl EncodedAtOnce {
    /// `None` if the encoder is off.
    pub(super) fn within(encoding: Encoding<'_>) -> Option<EncodedAtOnce> {
        let left = (encoding.budget == Budget::Blink).then_some(BLINK);
        encoding.is_on().then_some(EncodedAtOnce { left })
    }

    pub(super) fn fill<'b>(&mut self, prepared: impl Iterator<Item = &'b mut Prepared>) {
        let (mut texts, mut places): (Vec<&str>, Vec<&mut Searchable>) = Default::default();
        for Prepared { row, texts: of_file } in prepared {
            let cost = of_file.iter().map(|text| milliseconds(text)).sum::<usize>();
            // Only with a vector for each text are any used: once one is missing, none is made.
            self.left = self.left.map(|left| left.saturating_sub(cost));
            if self.left == Some(0) {
                continue;
            }
            texts.extend(of_file.iter().map(String::as_str));
            places.extend(&mut row.searchable);
        }
        for (place, vector) in places.into_iter().zip(encoded_texts(&texts)) {
            place.encoded = Some(vector.to_bytes());
        }
    }
}

/// How many vectors were computed, and how many are still missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Encoded {
    pub made: usize,
    pub missing: usize,
}

/// Encodes as many texts of an index as the budget allows: facts first, the newest of them first.
pub(crate) fn encoded(
    store: &Store,
    context: &Context,
    opened: Opened,
    budget: Budget,
    units: &[Unit],
) -> Result<Opened, IndexError> {
    if !Encoding::of(context, budget).is_on() {
        return Ok(opened);
    }
    let mut missing = 0;
    for unit in units {
        missing += opened.index.reads(*unit).count_unencoded();
    }
    if missing == 0 {
        return Ok(opened);
    }
    let spec = IndexSpec::of(store, context);
    let Opened { index, refreshed, findings, model, mode, problem } = opened;
    // An open read would block the writer.
    drop(index);
    let limit = match budget {
        Budget::Blink => EncodingLimit::EstimatedMillis(BLINK),
        Budget::All => EncodingLimit::Unlimited,
    };
    // If they cannot be stored, they are computed again next time.
    let _ = make(&spec, units, limit, &|_, _| {});
    let index = spec.open()?.ok_or(IndexError::Gone)?;
    Ok(Opened { index: index.into(), refreshed, findings, model, mode, problem })
}

/// When to stop encoding.
#[derive(Clone, Copy, Debug)]
enum EncodingLimit {
    Unlimited,
    /// Estimated milliseconds (by text length, not measured), so that every machine encodes the
    /// same texts.
    EstimatedMillis(usize),
}

/// Computes missing vectors for at most the estimated time `longest`; calls `moved` with the
/// numbers done and in total. Each batch is stored at once, so that an interruption loses little.
pub(crate) fn encode(
    store: &Store,
    context: &Context,
    longest: Option<Duration>,
    moved: &dyn Fn(usize, usize),
) -> Result<Encoded, IndexError> {
    if !Encoding::of(context, Budget::All).is_on() {
        return Ok(Encoded::default());
    }
    let limit = longest.map_or(EncodingLimit::Unlimited, |longest| {
        EncodingLimit::EstimatedMillis(usize::try_from(longest.as_millis()).unwrap_or(usize::MAX))
    });
    make(&IndexSpec::of(store, context), &Unit::ALL, limit, moved)
}

fn make(
    spec: &IndexSpec<'_>,
    units: &[Unit],
    limit: EncodingLimit,
    moved: &dyn Fn(usize, usize),
) -> Result<Encoded, IndexError> {
    let Some(index) = spec.open()? else { return Ok(Encoded::default()) };
    let mut all = 0;
    for unit in units {
        all += index.reads(*unit).count_unencoded();
    }
    drop(index);
    if all == 0 {
        return Ok(Encoded::default());
    }
    let (mut made, mut spent) = (0, 0);
    for unit in units {
        loop {
            let is_over = match limit {
                EncodingLimit::Unlimited => false,
                EncodingLimit::EstimatedMillis(most) => spent >= most,
            };
            let Some(index) = spec.open()?.filter(|_| !is_over) else { break };
            let mut texts = texts_without(&index, *unit)?;
            drop(index);
            if let EncodingLimit::EstimatedMillis(most) = limit {
                texts.retain(|one| {
                    spent += milliseconds(&one.text);
                    spent <= most
                });
            }
            if texts.is_empty() {
                break;
            }
            let bodies: Vec<&str> = texts.iter().map(|one| one.text.as_str()).collect();
            let vectors = encoded_texts(&bodies);
            let Some(writer) = spec.update()? else { break };
            for (one, vector) in texts.iter().zip(vectors) {
                writer.put_encoded(*unit, one.id, one.key, vector.to_bytes())?;
            }
            writer.finish_as_listed(&word_vector)?;
            made += texts.len();
            moved(made, all.max(made));
        }
    }
    Ok(Encoded { made, missing: all.saturating_sub(made) })
}

/// A text without a vector.
struct Unencoded {
    id: i64,
    key: u64,
    text: String,
}

/// A batch of them, newest first.
fn texts_without(index: &Index, unit: Unit) -> Result<Vec<Unencoded>, IndexError> {
    let reads = index.reads(unit);
    let mut of_files: HashMap<i64, (i64, Vec<texts::Text>)> = HashMap::new();
    let mut missing = Vec::new();
    for row in reads.unencoded(TOGETHER)? {
        let (first, texts) = match of_files.entry(row.file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let content = reads.content(row.file)?;
                new.insert((content.first, texts::of(unit, &content)))
            }
        };
        let text = row.id.checked_sub(*first).and_then(|at| usize::try_from(at).ok());
        let text = text.and_then(|at| texts.get(at));
        let body = text.map(|text| text.body.clone()).unwrap_or_default();
        missing.push(Unencoded { id: row.id, key: row.text, text: body });
    }
    Ok(missing)
}
