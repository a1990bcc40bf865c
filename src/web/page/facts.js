// Facts: search, filters, one fact with its history, and what can be done with it.

const PAGE = 100;
const HELD = [['current', 'now'], ['all', 'at any time']];
const AGES = [['', 'any'], ['7', 'last 7 days'], ['30', 'last 30 days'], ['365', 'last year']];
const facts = { query: '', chosen: { tag: '', agent: '', project: '', laptop: '', age: '', pinned: '' }, which: 'current', rows: [], laptops: {}, shown: PAGE, open: null, asked: 0, ranked: null, problem: null };
// Filled again and again, never made anew: what is typed, the caret and the focus stay.
const parts = {
  count: el('p', { id: 'count', class: 'meta', role: 'status' }),
  rows: el('ul', { id: 'rows', class: 'rows' }),
  more: el('div', { class: 'actions' }),
  search: el('input', { id: 'query', type: 'search', autocomplete: 'off', oninput: (event) => typed(event.target.value) }),
};
const filters = ['tag', 'agent', 'project', 'laptop', 'age', 'pinned'].map((name) => {
  const select = el('select', { id: name, onchange: (event) => { facts.chosen[name] = event.target.value; facts.shown = PAGE; rows(); } });
  return { name, select };
});
// Those that do not hold are asked for: most identities have few.
const held = el('select', { id: 'which', onchange: (event) => { facts.which = event.target.value; facts.shown = PAGE; return draw(); } },
  HELD.map(([value, text]) => el('option', { value }, text)));
const LABELS = { tag: 'Tag', agent: 'Agent', project: 'Project', laptop: 'Laptop', age: 'Learned', pinned: 'Show' };

async function factsView() {
  // Pinned ones first, then the newest.
  const mine = turn;
  const { memories } = await call('list', { which: facts.which });
  // A later drawing has read a newer list.
  if (mine !== turn) return [];
  facts.rows = memories.sort((a, b) => b.pinned - a.pinned || b.created.localeCompare(a.created));
  await rank();
  options();
  rows();
  // The history of a large identity takes a while.
  call('laptops').then(({ laptops }) => { facts.laptops = laptops; options(); }, () => {});
  parts.all = parts.all || [
    el('h2', {}, 'Facts'),
    el('div', { class: 'bar' },
      el('div', { class: 'wide' }, el('label', { for: 'query' }, 'Search'), parts.search),
      readOnly ? null : button('Add a fact', () => edit(null, null), { class: 'main', 'data-key': 'add' }),
    ),
    el('div', { class: 'filters' }, filters.map(({ name, select }) => el('div', {}, el('label', { for: name }, LABELS[name]), select)), el('div', {}, el('label', { for: 'which' }, 'True'), held)),
    parts.count, parts.rows, parts.more,
  ];
  return parts.all;
}

function options() {
  const found = (of) => [...new Set(facts.rows.flatMap(of))].filter(Boolean).sort();
  const any = (list) => [['', 'any'], ...list.map((value) => [value, value])];
  const all = {
    tag: any(found((row) => row.tags)),
    agent: any(found((row) => row.agent || [])),
    project: any(found((row) => row.project || [])),
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
  }
}

let typing;
function typed(text) {
  facts.query = text;
  facts.shown = PAGE;
  clearTimeout(typing);
  typing = setTimeout(() => rank().then((isLatest) => isLatest && rows()), 120);
}

// The ranking of `co recall`; without a question, all facts. Returns whether no later question was
// asked in the meantime.
async function rank() {
  const asked = ++facts.asked;
  let [ranked, failed] = [null, null];
  if (facts.query.trim()) {
    try {
      ranked = (await call('recall', { query: facts.query, limit: 50, which: facts.which })).results;
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
const handleOf = (row) => (row.id === null ? row.hash : `${row.id}-${row.hash.slice('sha256:'.length).slice(0, 8)}`);

function rows() {
  const known = new Map(facts.rows.map((row) => [place(row), row]));
  const ranked = facts.ranked ? facts.ranked.map((one) => known.get(place(one))).filter(Boolean) : facts.rows;
  const { tag, agent, project, laptop, age, pinned } = facts.chosen;
  const since = age ? Date.now() - age * 864e5 : 0;
  const fits = ranked.filter((row) => (!tag || row.tags.includes(tag)) && (!agent || row.agent === agent)
    && (!project || row.project === project) && (!laptop || facts.laptops[row.created] === laptop)
    && (!pinned || row.pinned) && new Date(row.created) >= since);
  parts.count.textContent = visible(facts.problem || counted(fits.length, 'fact', 'facts'));
  keepingFocus(() => parts.rows.replaceChildren(...fits.slice(0, facts.shown).map(factRow)));
  if (!fits.length && !facts.problem) parts.rows.append(el('li', { class: 'empty' }, facts.query || fits.length !== facts.rows.length ? 'Nothing matches.' : 'No facts yet. Add one here, or with co learn.'));
  parts.more.replaceChildren(
    ...(fits.length > facts.shown ? [button(`Show more (${fits.length - facts.shown})`, () => { facts.shown += PAGE; rows(); })] : []),
  );
}

function factRow(row) {
  const isOpen = facts.open === place(row);
  const body = isOpen ? bodyOf(row) : null;
  const toggle = () => { facts.open = isOpen ? null : place(row); rows(); };
  const head = button(`${row.pinned ? '★ ' : ''}${row.summary}`, toggle, { class: 'plain', 'data-key': `head ${place(row)}`, 'aria-expanded': String(isOpen) });
  const from = joined([row.handle, day(row.date), row.agent, row.project, ...(row.marks || [])]);
  return el('li', { class: row.standing && 'past' }, head, el('div', { class: 'meta' }, `${from} `, tags(row.tags)), body);
}

// The one that is open stays as it is, unless the fact changed.
const opened = { of: null, body: null };

function bodyOf(row) {
  const of = JSON.stringify([place(row), row.pinned, row.tags, revision]);
  if (opened.of !== of) {
    const isSame = opened.body && opened.place === place(row);
    Object.assign(opened, { of, place: place(row), body: isSame ? opened.body : el('div', {}) });
    detail(row, opened.body);
  }
  return opened.body;
}

async function detail(row, body) {
  const { hash, scope } = row;
  const handle = handleOf(row);
  // Facts of a project are in the project's repository.
  const life = scope === 'identity' ? call('life', { handle }) : Promise.resolve({ events: [] });
  try {
    const [fact, { events }] = await Promise.all([call('show', { handle, scope }), life]);
    const { agent, project, session, agreed } = fact.from;
    const actions = readOnly ? null : el('div', { class: 'actions' },
      button('Edit', () => edit(fact, row), { 'data-key': `edit ${hash}` }),
      button(fact.pinned ? 'Unpin' : 'Pin', () => change('pin', { handle, scope, pinned: !fact.pinned }, fact.pinned ? 'Unpinned.' : 'Pinned. Agents see it in every session.'), { 'data-key': `pin ${hash}` }),
      button('Forget', () => forget(fact, handle), { 'data-key': `forget ${hash}` }),
    );
    const isUnfolded = body.querySelector('details[open]') !== null;
    const event = (one) => el('li', {}, joined([moment(one.at), one.what, one.detail, one.who]));
    const laptop = facts.laptops[row.created];
    keepingFocus(() => body.replaceChildren(
      ...(fact.content === row.summary ? [] : [el('div', { class: 'text' }, fact.content)]),
      el('p', { class: 'meta' }, joined([
        `learned ${moment(fact.created)}`, laptop && `on ${laptop}`, fact.updated && `changed ${moment(fact.updated)}`, fact.verified && `checked ${isDay(fact.verified) ? day(fact.verified) : moment(fact.verified)}`,
        agent && `from ${agent}`, project && `in ${project}`, session && `session ${session}`, agreed && (agreed === 'auto' ? 'nobody was asked' : 'you agreed'), short(fact.path),
      ])),
      ...(actions ? [actions] : []),
      ...(events.length ? [el('details', { open: isUnfolded }, el('summary', { 'data-key': `history ${hash}` }, 'History'), el('ul', {}, events.map(event)))] : []),
    ));
  } catch (error) {
    body.replaceChildren(el('p', { class: 'error' }, error.message));
  }
}

function edit(fact, row) {
  let [based, handle] = [fact, row && handleOf(row)];
  const meanwhile = el('p', { id: 'meanwhile', class: 'meta', role: 'status' });
  const text = el('textarea', { id: 'fact-text', required: true, value: fact ? fact.content : '' });
  const labels = el('input', { id: 'fact-tags', value: fact ? fact.tags.join(', ') : '' });
  const fields = [el('label', { for: 'fact-text' }, 'Text'), text, el('label', { for: 'fact-tags' }, 'Tags, separated by commas'), labels, meanwhile];
  inDialog(fact ? 'Edit a fact' : 'Add a fact', fields, 'Save', async (form) => {
    const list = labels.value.split(',').map((tag) => tag.trim()).filter(Boolean);
    await (based
      ? change('edit', { handle, scope: based.scope, text: text.value, tags: list, based_on: based.hash }, 'Saved.', form)
      : change('learn', { text: text.value, tags: list }, 'Learned.', form));
    if (!based || !dialog.open || dialog.firstChild !== form) return;
    // What was typed stays, and replaces a text that came meanwhile only if it is saved again.
    const now = await standing(row);
    if (now === null) {
      based = null;
      meanwhile.textContent = 'It was forgotten in the meantime. Save again to add your text as a new fact.';
    } else if (now && now.hash !== based.hash) {
      [based, handle] = [now, handleOf({ ...row, hash: now.hash, id: now.id })];
      meanwhile.textContent = visible(`It now says: ${now.content}\nSave again to replace it with your text.`);
    }
  });
}

// The fact as it is now; null if it is gone, undefined if that is unknown.
async function standing(row) {
  try {
    const { memories } = await call('list', { which: 'all' });
    const now = memories.find((one) => one.scope === row.scope && one.created === row.created);
    return now ? { ...now, ...(await call('show', { handle: handleOf(now), scope: now.scope })) } : null;
  } catch {
    return undefined;
  }
}

function forget(fact, handle) {
  inDialog('Forget this fact?', [el('p', { class: 'text' }, fact.content), el('p', { class: 'meta' }, fact.scope === 'identity' ? 'It will be forgotten on all your laptops at the next sync. You can undo this.' : fact.scope === 'project' ? 'It will be removed from this project. You can undo this.' : `It will be removed from ${fact.scope}. You can undo this.`)], 'Forget',
    (form) => change('forget', { handle, scope: fact.scope }, forgotten, form));
}

// What it replaced holds again.
function forgotten({ counts_again: again }) {
  return joined(['Forgotten.', ...(again || []).map((fact) => `Fact ${fact.handle} counts again: ${fact.summary}`)]);
}
