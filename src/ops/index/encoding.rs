//! Vectors of the encoder: computed within a time budget, stored in the index, and used only if
//! every text has one.
//!
//! Invariant: a question never waits longer than its budget; missing vectors only worsen the
//! ranking. The encoder is loaded lazily, and at most once per process and purpose.

use super::{IndexSpec, Opened, memory};
use crate::identity::{Blob, RelPath};
use crate::knowledge::{DocSummary as Document, indexing};
use crate::ops::store::Store;
use crate::recall::{
    encoder::{Encoder, For},
    vectors::{Packed, Vectors},
};
use crate::system::{
    Context,
    index::{Index, IndexError, Reads, Unit, Writer, file_of},
    settings::{EncoderChoice, RecallSettings},
};
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::OnceLock,
    time::Duration,
};

/// How much to encode before answering a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::ops) enum Budget {
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

fn encoder(purpose: For) -> &'static Encoder {
    static FEW: OnceLock<Encoder> = OnceLock::new();
    static MANY: OnceLock<Encoder> = OnceLock::new();
    match (MANY.get(), purpose) {
        (Some(many), _) => many,
        (None, For::Many) => MANY.get_or_init(|| Encoder::load(For::Many)),
        (None, For::Few) => FEW.get_or_init(|| Encoder::load(For::Few)),
    }
}

/// How texts and questions get their vectors.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Encoding<'a> {
    settings: &'a RecallSettings,
    budget: Budget,
}

impl<'a> Encoding<'a> {
    pub(in crate::ops) fn of(context: &'a Context, budget: Budget) -> Encoding<'a> {
        Encoding { settings: &context.settings.recall, budget }
    }

    /// Off if an endpoint is configured instead.
    pub(in crate::ops) fn is_on(&self) -> bool {
        let RecallSettings { encoder, meaning, embedder, .. } = self.settings;
        *encoder == EncoderChoice::BuiltIn && *meaning && embedder.is_none()
    }

    /// Prepacks the weights, which halves the time of later queries at the cost of memory.
    pub(in crate::ops) fn prepack(&self) {
        if self.is_on() {
            encoder(For::Many);
        }
    }

    pub(in crate::ops) fn question(&self, text: &str) -> Option<Packed> {
        self.is_on().then(|| encoder(For::Few).vector(text).packed())
    }

    /// The vectors of texts that are in no index, if the budget allows.
    pub(in crate::ops) fn of_texts(&self, texts: &[&str]) -> Option<Vectors> {
        let is_cheap = || texts.iter().map(|text| milliseconds(text)).sum::<usize>() <= BLINK;
        if !self.is_on() || (self.budget == Budget::Blink && !is_cheap()) {
            return None;
        }
        Some(encoded_texts(texts).into_iter().collect())
    }

    /// No vectors: these texts are searched lexically and do not disable semantic search of others.
    pub(in crate::ops) fn of_none(&self, count: usize) -> Option<Vectors> {
        self.is_on().then(|| Vectors::empty(count))
    }

    /// The vectors stored in an index; `None` unless every text has one.
    pub(super) fn kept(
        &self,
        reads: &Reads<'_>,
        count: usize,
        position: impl Fn(i64) -> Option<u32>,
    ) -> Result<Option<Vectors>, IndexError> {
        if !self.is_on() {
            return Ok(None);
        }
        let (mut vectors, mut found) = (Vectors::empty(count), 0);
        reads.each_encoded(|id, bytes| {
            if let Some(at) = position(id) {
                vectors.put_bytes(at as usize, bytes);
                found += 1;
            }
        })?;
        Ok((found == count).then_some(vectors))
    }
}

fn encoded_texts(texts: &[&str]) -> Vec<Packed> {
    let purpose = if texts.len() > TOGETHER / 2 { For::Many } else { For::Few };
    encoder(purpose).vectors(texts).iter().map(|vector| vector.packed()).collect()
}

/// How many vectors were computed, and how many are still missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Encoded {
    pub made: usize,
    pub missing: usize,
}

/// Encodes as many texts of an index as the budget allows: facts first, the newest of them first.
pub(in crate::ops) fn encoded(
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
        missing += opened.index.reads(*unit).count_unencoded()?;
    }
    if missing == 0 {
        return Ok(opened);
    }
    let spec = IndexSpec::of(store, context);
    let Opened { index, refreshed, findings, model, problem } = opened;
    // An open read would block the writer.
    drop(index);
    let limit = match budget {
        Budget::Blink => EncodingLimit::EstimatedMillis(BLINK),
        Budget::All => EncodingLimit::Unlimited,
    };
    // If they cannot be stored, they are computed again next time.
    let _ = make(&spec, units, limit, &|_, _| {});
    let index = spec.open().ok_or(IndexError::Gone)?;
    Ok(Opened { index: index.into(), refreshed, findings, model, problem })
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
pub(in crate::ops) fn encode(
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
    let Some(index) = spec.open() else { return Ok(Encoded::default()) };
    let mut all = 0;
    for unit in units {
        all += index.reads(*unit).count_unencoded()?;
    }
    drop(index);
    let (mut made, mut spent) = (0, 0);
    for unit in units {
        loop {
            let is_over = match limit {
                EncodingLimit::Unlimited => false,
                EncodingLimit::EstimatedMillis(most) => spent >= most,
            };
            let Some(index) = spec.open().filter(|_| !is_over) else { break };
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
            let Some(writer) = Writer::update(&spec.file, &spec.seal)? else { break };
            for (one, vector) in texts.iter().zip(vectors) {
                writer.put_encoded(*unit, one.id, one.key, &vector.to_bytes())?;
            }
            writer.finish_as_listed()?;
            made += texts.len();
            moved(made, all.max(made));
        }
    }
    Ok(Encoded { made, missing: all.saturating_sub(made) })
}

/// A text without a vector.
struct Unencoded {
    id: i64,
    key: i64,
    text: String,
}

/// A batch of them, newest first.
fn texts_without(index: &Index, unit: Unit) -> Result<Vec<Unencoded>, IndexError> {
    let reads = index.reads(unit);
    let found = reads.unencoded(TOGETHER)?;
    let mut passages: HashMap<i64, Vec<String>> = HashMap::new();
    let mut texts = Vec::with_capacity(found.len());
    for (id, key) in found {
        let text = match unit {
            Unit::Facts => memory(reads.content(id)?).map(|memory| memory.text().to_owned()),
            Unit::Documents => {
                let file = file_of(id);
                let of_file = match passages.entry(file) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(passages_of(&reads, file)?),
                };
                of_file.get((id - first_of(file)) as usize).cloned()
            }
        };
        texts.push(Unencoded { id, key, text: text.unwrap_or_default() });
    }
    Ok(texts)
}

/// The id of the first passage of a file.
fn first_of(file: i64) -> i64 {
    Unit::Documents.first(file)
}

fn passages_of(reads: &Reads<'_>, file: i64) -> Result<Vec<String>, IndexError> {
    let content = reads.content(file)?;
    let path = RelPath::new(&content.path);
    let entry = path.and_then(|path| Document::read(&path, &Blob::from(content.bytes.as_slice())));
    let chunks = match entry {
        Some(Ok(entry)) => indexing::chunks(&entry),
        _ => Vec::new(),
    };
    Ok(chunks.into_iter().map(|chunk| chunk.body).collect())
}
