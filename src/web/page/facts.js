// Facts: search, filters, the list.

const PAGE = 100;
// So many rows at a time: a key that is pressed meanwhile does not wait for a hundred.
const PIECE = 8;
const FIRST = 12;
const AGES = [['', 'any'], ['7', 'last 7 days'], ['30', 'last 30 days'], ['365', 'last year']];
// Of each, which facts are asked for, and which of them are shown.
const TIMES = {
  current: { title: 'now', which: 'current', fits: () => true },
  unchecked: { title: 'now, unchecked', which: 'current', fits: (row) => marked(row, 'unchecked') },
  ending: { title: 'now, with an end', which: 'current', fits: (row) => Boolean(row.valid_until) },
  replaced: { title: 'no more: replaced', which: 'all', fits: (row) => row.standing === 'replaced' },
  over: { title: 'no more: over', which: 'all', fits: (row) => row.standing === 'over' },
  'not-yet': { title: 'not yet', which: 'all', fits: (row) => row.standing === 'not-yet' },
  all: { title: 'at any time', which: 'all', fits: () => true },
};
const marked = (row, word) => (row.marks || []).some((mark) => mark.startsWith(word));
const NAMES = ['tag', 'agent', 'project', 'layer', 'laptop', 'age', 'pinned'];
const facts = {
  query: '', chosen: Object.fromEntries(NAMES.map((name) => [name, ''])), time: 'current', rows: [], known: new Map(), laptops: {}, shown: PAGE,
  open: null, first: null, lead: null, asked: 0, drawn: 0, ranked: null, problem: null, rest: 0, early: null, texts: new Map(), items: new Map(), rights: null,
};
// Filled again and again, never made anew: what is typed, the caret and the focus stay.
const parts = {
  count: el('p', { id: 'count', class: 'meta', role: 'status' }),
  rows: el('ul', { id: 'rows', class: 'rows', onkeydown: (event) => event.key === 'Escape' && !note.hasChildNodes() && closeFact() }),
  chosen: el('div', { id: 'chosen' }),
  more: el('div', { class: 'actions' }),
  search: el('input', { id: 'query', type: 'search', autocomplete: 'off', oninput: (event) => typed(event.target.value) }),
};
const filters = NAMES.map((name) => {
  const select = el('select', { id: name, onchange: (event) => { facts.chosen[name] = event.target.value; facts.shown = PAGE; rows(0); } });
  return { name, select };
});
// Those that do not hold are asked for: most identities have few.
const held = el('select', { id: 'which', onchange: (event) => { facts.time = event.target.value; facts.shown = PAGE; return draw(); } },
  Object.entries(TIMES).map(([value, { title }]) => el('option', { value }, title)));
const LABELS = { tag: 'Tag', agent: 'Agent', project: 'Project', layer: 'From', laptop: 'Laptop', age: 'Learned', pinned: 'Show' };
const OWN = { identity: 'your identity', project: 'this project', here: 'this laptop' };
const sourceOf = (row) => OWN[row.scope] || row.scope;

async function factsView(open) {
  const mine = turn;
  const { which } = TIMES[facts.time];
  const isFirst = !open && !facts.rows.length && which === 'current';
  const { memories, count } = await (isFirst ? earlyFacts() : call('list', { which }));
  // A later drawing has read a newer list.
  if (mine !== turn) return [];
  if (open && open !== facts.first && revealed(open, memories, which)) return factsView(open);
  taken(memories);
  facts.rest = count - memories.length;
  await rank();
  options();
  keepingPlace(rows);
  if (facts.rest) allFacts(mine);
  else lookBehind();
  parts.all = parts.all || [
    el('h2', {}, 'Facts'),
    el('div', { class: 'bar' },
      el('div', { class: 'wide' }, el('label', { for: 'query' }, 'Search'), parts.search),
      readOnly ? null : button('Add a fact', () => edit(null, null), { class: 'main', 'data-key': 'add' }),
    ),
    parts.filters = el('details', { class: 'narrow', open: window.innerWidth > 720 }, el('summary', {}, 'Filters'),
      el('div', { class: 'filters' }, el('div', {}, el('label', { for: 'which' }, 'Holds'), held), filters.map(({ name, select }) => el('div', {}, el('label', { for: name }, LABELS[name]), select)))),
    el('div', { class: 'counted' }, parts.count, parts.chosen), parts.rows, parts.more,
  ];
  parts.filters.hidden = !facts.rows.length && facts.time === 'current';
  return parts.all;
}

// The first screen of facts does not wait for thousands.
const firstFacts = () => call('list', { limit: PAGE });

function earlyFacts() {
  const early = facts.early;
  facts.early = null;
  return early || firstFacts();
}

async function allFacts(mine) {
  const { memories } = await call('list', {}).catch(() => ({}));
  if (!memories || mine !== turn) return;
  facts.rest = 0;
  taken(memories);
  options();
  keepingPlace(rows);
  lookBehind();
}

// Pinned ones first, then the newest.
function taken(memories) {
  facts.rows = memories.sort((a, b) => b.pinned - a.pinned || (a.created < b.created ? 1 : a.created > b.created ? -1 : 0));
  const was = facts.known.get(facts.open);
  facts.known = new Map(facts.rows.map((row) => [place(row), row]));
  if (was && !facts.known.has(facts.open)) follow(was, facts.rows.find((row) => originOf(row) === originOf(was)));
}

// The fact that is open was edited, or is none of the listed ones any more: its address says so.
function follow(was, now) {
  if (facts.lead === handleOf(was)) facts.lead = now ? handleOf(now) : null;
  facts.open = now ? place(now) : null;
  facts.first = now ? handleOf(now) : null;
  if (route().open === handleOf(was)) readdress(now ? addressOf('facts', handleOf(now)) : '#facts');
}

function lookBehind() {
  // The history of a large identity takes a while.
  call('laptops').then(({ laptops }) => { facts.laptops = laptops; options(); }, () => {});
  if (facts.rows.some((row) => row.layer)) lookAtLayers();
}

// An address of this page; or a number, as a person types it, if it is that of one fact.
function meant(open, memories) {
  const exact = memories.find((row) => handleOf(row) === open || row.hash === open);
  const named = memories.filter((row) => row.handle === open);
  const numbered = named.length ? named : memories.filter((row) => String(row.id) === open);
  return exact || (numbered.length === 1 ? numbered[0] : undefined);
}

// The fact that the address names is open and among the first. Returns whether another list is needed.
function revealed(open, memories, which) {
  const found = meant(open, memories);
  if (!found && which !== 'all') {
    held.value = facts.time = 'all';
    return true;
  }
  facts.first = facts.lead = found ? handleOf(found) : open;
  if (found) readdress(addressOf('facts', handleOf(found)));
  facts.open = found ? place(found) : null;
  if (!found) {
    held.value = facts.time = 'current';
    say('The fact of this address has changed since, or is gone.');
    return true;
  }
  facts.query = parts.search.value = '';
  for (const name of NAMES) facts.chosen[name] = '';
  return false;
}

// Facts of a layer that is only read here cannot be changed. Until that is known, none of a layer can.
function lookAtLayers() {
  call('status').then(({ layers }) => {
    facts.rights = new Map((layers || []).map((layer) => [layer.name, layer.write ? 'write' : 'read']));
    const open = facts.known.get(facts.open);
    if (open && open.layer && route().name === 'facts') keepingPlace(rows);
  }, () => {});
}

const rightsOn = (row) => (row.layer ? (facts.rights && facts.rights.get(row.scope)) || 'unknown' : 'write');
const isFixed = (row) => readOnly || rightsOn(row) !== 'write';

function options() {
  const found = (of) => [...new Set(facts.rows.flatMap(of))].filter(Boolean).sort();
  const any = (list) => [['', 'any'], ...list.map((value) => [value, value])];
  const all = {
    tag: any(found((row) => row.tags)),
    agent: any(found((row) => row.agent || [])),
    project: any(found((row) => row.project || [])),
    layer: any(found(sourceOf)),
    laptop: any(found((row) => facts.laptops[row.created] || [])),
    age: AGES,
    pinned: [['', 'all'], ['yes', 'pinned']],
  };
  for (const { name, select } of filters) {
    // What is chosen may be gone: laptops are known later than the rest.
    const isThere = all[name].some(([value]) => value === facts.chosen[name]);
    if (!isThere && name !== 'laptop') facts.chosen[name] = '';
    const values = all[name].map(([value]) => value);
    const isSame = values.length === select.options.length && values.every((value, at) => value === select.options[at].value);
    if (!isSame) select.replaceChildren(...all[name].map(([value, text]) => el('option', { value }, text)));
    select.value = facts.chosen[name];
    // Where there is nothing to choose, a filter is in the way.
    if (select.parentElement) select.parentElement.hidden = values.length < (name === 'layer' ? 3 : 2);
  }
}

let typing;
function typed(text) {
  facts.query = text;
  facts.shown = PAGE;
  clearTimeout(typing);
  typing = setTimeout(() => rank().then((isLatest) => isLatest && rows(0)), 120);
}

// The ranking of `co recall`; without a question, all facts. Returns whether no later question was
// asked in the meantime.
async function rank() {
  const asked = ++facts.asked;
  let [ranked, failed] = [null, null];
  if (facts.query.trim()) {
    try {
      ranked = (await call('recall', { query: facts.query, limit: 50, which: TIMES[facts.time].which })).results;
    } catch (error) {
      [ranked, failed] = [[], error.message];
    }
  }
  if (asked !== facts.asked) return false;
  [facts.ranked, facts.problem] = [ranked, failed];
  return true;
}

const place = (row) => `${row.scope} ${row.id} ${row.hash}`;
// Both number and text: never a fact that got the number, or the text, in the meantime.
function handleOf({ id, hash, layer }) {
  if (id === null) return hash;
  return `${layer ? `${layer}/` : ''}${id}-${hash.slice('sha256:'.length).slice(0, 8)}`;
}

function fitting() {
  const found = facts.ranked ? facts.ranked.map((one) => facts.known.get(place(one))).filter(Boolean) : facts.rows;
  // The number of a fact is that fact, whatever else has these digits.
  const asked = facts.query.trim();
  const ranked = facts.ranked ? [...new Set([...facts.rows.filter((row) => row.handle === asked || String(row.id) === asked), ...found])] : found;
  const { tag, agent, project, layer, laptop, age, pinned } = facts.chosen;
  const since = age && new Date(Date.now() - age * 864e5).toISOString();
  const { fits } = TIMES[facts.time];
  return ranked.filter((row) => fits(row) && (!tag || row.tags.includes(tag)) && (!agent || row.agent === agent)
    && (!project || row.project === project) && (!layer || sourceOf(row) === layer) && (!laptop || facts.laptops[row.created] === laptop)
    && (!pinned || row.pinned) && (!since || row.created >= since));
}

// Of one fact, also after its text was edited.
const originOf = (row) => `${row.scope} ${row.created} ${row.id}`;

// `atOnce`: how many rows do not wait for the next frame. As many as there were, so that the page
// does not become shorter for a moment; what is typed waits for no more than a screen of them.
function rows(atOnce = parts.rows.children.length) {
  const fits = fitting();
  parts.count.textContent = visible(facts.problem || counted(fits.length + (facts.ranked ? 0 : facts.rest), 'fact', 'facts'));
  keepingFocus(() => parts.chosen.replaceChildren(...chips()));
  // What the address names is where the eye is.
  const at = facts.lead ? fits.findIndex((row) => handleOf(row) === facts.lead) : -1;
  if (at >= FIRST) fits.unshift(...fits.splice(at, 1));
  const mine = ++facts.drawn;
  const shown = fits.slice(0, facts.shown);
  const paths = new Set(shown.map((row) => row.path));
  for (const path of facts.items.keys()) if (!paths.has(path)) facts.items.delete(path);
  const first = Math.max(FIRST, atOnce);
  const isEmpty = !fits.length && !facts.problem;
  // What has the focus may move from one row to the other.
  const elements = () => (isEmpty
    ? [el('li', { class: 'empty' }, facts.query || fits.length !== facts.rows.length || facts.time !== 'current' ? 'Nothing matches.' : noFacts())]
    : shown.slice(0, first).map(rowOf));
  keepingFocus(() => fill(parts.rows, elements()), beside(document.activeElement.closest('#rows > li')));
  wholeTexts(shown.slice(0, first));
  const next = (from) => requestAnimationFrame(() => {
    if (mine !== facts.drawn) return;
    if (from >= shown.length) return wholeTexts(shown);
    parts.rows.append(...shown.slice(from, from + PIECE).map(rowOf));
    next(from + PIECE);
  });
  next(first);
  parts.more.replaceChildren(
    ...(fits.length > facts.shown ? [button(`Show more (${fits.length - facts.shown})`, () => { facts.shown += PAGE; keepingPlace(rows); })] : []),
  );
}

// The filters that are on, also where they are folded: each goes at a click.
function chips() {
  const chip = (label, value, undo) => button([`${label}: ${value} `, el('span', { 'aria-hidden': 'true' }, '×')], undo, { class: 'small', title: 'Remove this filter', 'data-key': `chip ${label}`, 'data-next': 'query' });
  const timed = facts.time === 'current' ? [] : [chip('Holds', TIMES[facts.time].title, () => { held.value = facts.time = 'current'; return draw(); })];
  return [...timed, ...filters.filter(({ name }) => facts.chosen[name]).map(({ name, select }) => {
    const shown = [...select.options].find((option) => option.value === facts.chosen[name]);
    return chip(LABELS[name], shown ? shown.text : facts.chosen[name], () => { select.value = facts.chosen[name] = ''; rows(0); });
  })];
}

// Only what differs is put in or taken out: the rest keeps its place and the focus.
function fill(list, elements) {
  const wanted = new Set(elements);
  for (const old of [...list.children]) if (!wanted.has(old)) old.remove();
  let at = list.firstElementChild;
  for (const element of elements) {
    if (element === at) at = at.nextElementSibling;
    else list.insertBefore(element, at);
  }
}

// Where the focus goes if its row is gone: to the fact, to one after it, or to the one before.
function beside(li) {
  if (!li) return [];
  const all = [...parts.rows.children];
  const at = all.indexOf(li);
  return [...all.slice(at, at + 9), ...all.slice(Math.max(0, at - 1), at)].map((one) => one.firstElementChild.dataset.key);
}

// What is looked at stays where it is: what has the focus, what is open, or else the first row in sight.
function keepingPlace(redraw) {
  const isInSight = ({ top, bottom }) => bottom > 0 && top < window.innerHeight;
  const seen = [...facts.items.values()].filter(({ li }) => li.isConnected)
    .map(({ row, li }) => ({ row, top: li.getBoundingClientRect().top, weight: li.contains(document.activeElement) ? 2 : li.classList.contains('open') ? 1 : 0, isSeen: isInSight(li.getBoundingClientRect()) }))
    .filter(({ isSeen }) => isSeen).sort((a, b) => b.weight - a.weight || a.top - b.top);
  const isAtTop = window.scrollY === 0;
  redraw();
  const items = [...facts.items.values()];
  for (const { row, top, weight } of seen) {
    const item = facts.items.get(row.path) || items.find((one) => originOf(one.row) === originOf(row));
    if (!item || !item.li.isConnected) continue;
    // At the top, what is new is to be seen.
    if (!isAtTop) window.scrollBy(0, item.li.getBoundingClientRect().top - top);
    if (weight && !isInSight(item.li.getBoundingClientRect())) item.li.scrollIntoView({ block: 'nearest' });
    return;
  }
}

// The list has the beginnings of long texts; what is on the screen is shown whole.
const isCut = (row) => /(…|\.\.\.)$/.test(row.summary) && !facts.texts.has(place(row));

async function wholeTexts(piece) {
  const cut = piece.filter(isCut);
  if (!cut.length) return;
  const { texts } = await call('texts', { facts: cut.map((row) => ({ handle: handleOf(row), scope: row.scope })) }).catch(() => ({ texts: [] }));
  texts.forEach((text, at) => {
    if (text === null) return;
    facts.texts.set(place(cut[at]), text);
    showTitle(cut[at]);
  });
}

const titleOf = (row) => `${row.pinned ? '★ ' : ''}${facts.texts.get(place(row)) || row.summary}`;

// The note goes first.
function closeFact() {
  if (!facts.open) return;
  facts.open = facts.first = null;
  readdress('#facts');
  keepingPlace(rows);
}

function showTitle(row) {
  const item = facts.items.get(row.path);
  if (item && place(item.row) === place(row)) item.title.textContent = visible(titleOf(row));
}

// The element of a row: the one that is there, unless what it shows has changed.
function rowOf(row) {
  const isOpen = facts.open === place(row);
  const key = JSON.stringify([row, isOpen, zone]);
  const known = facts.items.get(row.path);
  if (known && known.key === key) {
    if (isOpen) bodyOf(row);
    return known.li;
  }
  const title = el('span', { class: 'text' }, titleOf(row));
  const li = factRow(row, title, isOpen);
  facts.items.set(row.path, { row, key, title, li });
  return li;
}

function factRow(row, title, isOpen) {
  const toggle = () => {
    facts.open = isOpen ? null : place(row);
    facts.first = isOpen ? null : handleOf(row);
    // An address for what is open, without a step back for each look.
    readdress(isOpen ? '#facts' : addressOf('facts', handleOf(row)));
    keepingPlace(rows);
  };
  const head = button(title, toggle, { class: 'plain', 'data-key': `head ${originOf(row)}`, 'data-opened': isOpen, 'aria-expanded': String(isOpen) });
  const from = joined([row.handle, day(row.date), row.agent, row.project, ...(row.marks || [])]);
  const layer = row.layer ? el('span', { class: 'tag layer' }, sourceOf(row)) : null;
  const state = [row.standing ? 'past' : '', isOpen ? 'open' : '', marked(row, 'unchecked') ? 'unchecked' : ''].join(' ').trim();
  return el('li', { class: state }, head, el('div', { class: 'meta' }, `${from} `, layer, tags(row.tags)), isOpen ? bodyOf(row) : null);
}

const EXAMPLES = ['Prefers short answers, with the risk first', 'Uses pnpm, never npm', 'Lives in Berlin'];

function noFacts() {
  return [
    el('p', {}, 'No facts yet. A fact is one thing that every agent should know about you, in a sentence.'),
    readOnly ? null : el('p', {}, 'Begin with one of these, and change it to what is true:'),
    readOnly ? null : el('div', { class: 'actions' }, EXAMPLES.map((text) => button(text, () => edit(null, null, text), { 'data-key': `example ${text}` }))),
    el('p', {}, 'In a terminal: ', command('co learn "Uses pnpm, never npm"')),
  ];
}
