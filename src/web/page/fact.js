// One fact: its life, when it holds, and what can be done with it.

// The one that is open stays as it is, unless the fact changed.
const opened = { of: null, body: null, ready: null, fact: null, row: null, turn: 0 };
// What it is about is read anew after a change: its buttons wait for that.
const withFact = (act) => async () => {
  const { origin } = opened;
  await latest;
  await opened.ready;
  return opened.origin === origin ? act(opened.fact, opened.row) : undefined;
};

function bodyOf(row) {
  const of = JSON.stringify([place(row), row.pinned, row.tags, revision, rightsOn(row)]);
  if (opened.of !== of) {
    const isSame = opened.body && opened.origin === originOf(row);
    Object.assign(opened, { of, origin: originOf(row), body: isSame ? opened.body : el('div', { class: 'body' }) });
    opened.ready = detail(row, opened.body);
  }
  return opened.body;
}

async function detail(row, body) {
  const { scope } = row;
  const handle = handleOf(row);
  const mine = ++opened.turn;
  // Facts of a project are in the project's repository.
  const life = scope === 'identity' ? call('life', { handle }).catch(({ message }) => ({ events: [], message })) : null;
  try {
    const fact = await call('show', { handle, scope });
    if (mine !== opened.turn) return;
    Object.assign(opened, { fact, row });
    showTitle(row);
    const { agent, project, session, agreed } = fact.from;
    const isDoubtful = (fact.marks || []).some((mark) => /^(unchecked|replaced)/.test(mark));
    const actions = isFixed(row) ? null : el('div', { class: 'actions' },
      button('Edit', withFact(edit), { 'data-key': 'edit' }),
      isDoubtful ? button('Still true', withFact((was, now) => alter('confirm', { handle: handleOf(now), scope }, checkedAgain(was))), { 'data-key': 'confirm' }) : null,
      button(fact.pinned ? 'Unpin' : 'Pin', withFact((_, now) => alter('pin', { handle: handleOf(now), scope, pinned: !fact.pinned }, fact.pinned ? 'Unpinned.' : 'Pinned. Agents see it in every session.')), { 'data-key': 'pin' }),
      button('Forget', withFact(forget), { 'data-key': 'forget' }),
    );
    const laptop = facts.laptops[row.created];
    keepingFocus(() => body.replaceChildren(...[
      actions,
      rightsOn(row) === 'read' ? el('p', { class: 'meta' }, `From the layer ${scope}, which is only read here.`) : null,
      el('dl', {}, [
        ['Holds', joined([fact.valid_from && `from ${boundOf(fact.valid_from)}`, fact.valid_until && `until ${boundOf(fact.valid_until)}`, ...(fact.standing ? [`not now: ${STANDINGS[fact.standing] || fact.standing}`] : [])])],
        ['Checked', joined([fact.verified && boundOf(fact.verified), fact.stale_after && `again after ${boundOf(fact.stale_after)}`])],
        ['Replaces', replacedBy(fact).map((one) => el('div', {}, one))],
        ['Replaced by', (fact.marks || []).filter((mark) => mark.startsWith('replaced by ')).map((mark) => linkOf(mark.slice('replaced by '.length)))],
        ['Learned', joined([moment(fact.created), laptop && `on ${laptop}`, agent && `from ${agent}`, project && `in ${project}`, session && `session ${session}`, agreed && (agreed === 'auto' ? 'nobody was asked' : 'you agreed')])],
        ['Changed', fact.updated && moment(fact.updated)],
        ['File', short(fact.path)],
      ].filter(([, what]) => what && what.length).map(([name, what]) => [el('dt', {}, name), el('dd', {}, what)])),
      // That of a large identity takes a while: the rest does not wait for it.
      life ? body.querySelector('.life') || el('p', { class: 'life meta' }, 'Reading the history…') : null,
    ].filter(Boolean)));
    if (life) life.then((found) => mine === opened.turn && lifeOf(found, fact, body));
  } catch (error) {
    if (mine === opened.turn) body.replaceChildren(el('p', { class: 'error' }, error.message));
  }
}

function lifeOf({ events, message }, fact, body) {
  const before = body.querySelector('.life');
  const isOpen = !before.matches('details:not([open])');
  keepingFocus(() => before.replaceWith(...(message ? [el('p', { class: 'life error' }, message)] : []), ...(events.length
    ? [el('details', { class: 'life', open: isOpen }, el('summary', { 'data-key': 'history' }, 'History'), el('ol', {}, events.map((one) => eventOf(one, fact.content))))] : [])));
}

const STANDS = { 'not-yet': 'It begins later', over: 'It is over', replaced: 'Another fact replaces it' };
const STANDINGS = { 'not-yet': 'it begins later', over: 'it is over', replaced: 'another fact replaces it' };
const boundOf = (stamp) => (isDay(stamp) ? day(stamp) : moment(stamp));

// Of those that hold no more, which are not listed, each says what it is a moment later.
function replacedBy(fact) {
  return (fact.supersedes || []).map((hash) => {
    const row = facts.rows.find((one) => one.hash === hash);
    if (row) return linkOf(row.handle);
    const link = el('a', { href: addressOf('facts', hash) }, 'a fact');
    call('show', { handle: hash, scope: fact.scope }).then((one) => {
      link.textContent = visible(`${one.handle} ${one.summary}`);
      link.setAttribute('href', addressOf('facts', handleOf(one)));
    }, () => link.replaceWith('a fact that is not here'));
    return link;
  });
}

function linkOf(handle) {
  const row = facts.rows.find((one) => one.handle === handle);
  return row ? el('a', { href: addressOf('facts', handleOf(row)) }, `${handle} ${row.summary}`) : handle;
}

// What happened to it: an edit with both texts, and no text that is above it already.
function eventOf(one, content) {
  const isEdit = one.before && one.after && one.before !== one.after;
  const isKnown = content.startsWith(one.detail.replace(/\s*(…|\.\.\.)$/, ''));
  return el('li', {},
    el('div', {}, el('strong', {}, one.what), isEdit || isKnown ? null : ` ${one.detail}`),
    isEdit ? [el('div', { class: 'text forgotten' }, `- ${one.before}`), el('div', { class: 'text learned' }, `+ ${one.after}`)] : null,
    el('div', { class: 'meta' }, joined([moment(one.at), one.agent && `by ${one.agent}`, one.who])),
  );
}

const BOUNDS = [
  ['from', 'valid_from', 'From', 'such as 1 Dec; empty: since ever'],
  ['until', 'valid_until', 'Until', 'such as friday or 2026-12-24; empty: no end'],
  ['check_after', 'stale_after', 'Check again after', 'such as 90d, 6mo or a date; empty: never'],
];

function edit(fact, row, example) {
  let [based, handle] = [fact, row && handleOf(row)];
  const meanwhile = el('p', { id: 'meanwhile', class: 'meta', role: 'status' });
  const text = el('textarea', { id: 'fact-text', required: true, value: fact ? fact.content : example || '' });
  const labels = el('input', { id: 'fact-tags', autocomplete: 'off', value: fact ? fact.tags.join(', ') : '' });
  const bounds = BOUNDS.map(([name, key, label, hint]) => {
    const was = (fact && fact[key]) || '';
    const input = el('input', { id: `fact-${name}`, autocomplete: 'off', value: was, 'aria-describedby': `hint-${name}` });
    return { name, was, input, shown: [el('label', { for: `fact-${name}` }, label), input, el('div', { id: `hint-${name}`, class: 'meta' }, hint)] };
  });
  const replaces = el('input', { id: 'fact-replaces', autocomplete: 'off', 'aria-describedby': 'hint-replaces' });
  const isTimed = bounds.some(({ was }) => was);
  const fields = [
    el('label', { for: 'fact-text' }, 'Text'), text, el('label', { for: 'fact-tags' }, 'Tags, separated by commas'), labels,
    el('details', { open: isTimed }, el('summary', {}, 'When it holds'),
      el('div', { class: 'bounds' }, bounds.map(({ shown }) => el('div', {}, shown)),
        el('div', {}, el('label', { for: 'fact-replaces' }, 'Replaces'), replaces, el('div', { id: 'hint-replaces', class: 'meta' }, 'the numbers of other facts, such as 12 31')))),
    meanwhile,
  ];
  inDialog(fact ? 'Edit a fact' : 'Add a fact', fields, 'Save', async (form) => {
    const list = labels.value.split(',').map((tag) => tag.trim()).filter(Boolean);
    const times = timesOf(bounds, replaces, based);
    await (based
      ? alter('edit', { handle, scope: based.scope, text: text.value, tags: list, based_on: based.hash, ...times }, 'Saved.', form)
      : alter('learn', { text: text.value, tags: list, ...times }, learned, form));
    if (!based || !dialog.open || dialog.firstChild !== form) return;
    // What was typed stays, and replaces a text that came meanwhile only if it is saved again.
    const now = await standing(row);
    if (now === null || (now && now.hash !== based.hash)) form.querySelector('[role=alert]').textContent = '';
    if (now === null) {
      based = null;
      meanwhile.textContent = 'It was forgotten in the meantime. Save again to add your text as a new fact.';
    } else if (now && now.hash !== based.hash) {
      [based, handle] = [now, handleOf({ ...row, hash: now.hash, id: now.id })];
      meanwhile.textContent = visible(`It now says: ${now.content}\nSave again to replace it with your text.`);
    }
  });
}

// What was typed of its time; what was not touched stays as it is.
function timesOf(bounds, replaces, based) {
  const times = {};
  for (const { name, was, input } of bounds) {
    const now = input.value.trim();
    if (based ? now !== was : now) times[name] = now || 'none';
  }
  const handles = replaces.value.split(/[\s,]+/).filter(Boolean);
  if (handles.length) times.replaces = handles;
  return Object.keys(times).length ? { times } : {};
}

// Changes one fact. The note says where it is if it is not among the facts that are shown.
async function alter(name, fields, told, form) {
  const where = el('span', {});
  const made = await change(name, fields, (data) => [typeof told === 'function' ? told(data) : told, where], form);
  if (made && route().name === 'facts') where.append(...await whereIs((made.memories || [made])[0]));
}

async function whereIs(fact) {
  const at = fitting().findIndex((row) => originOf(row) === originOf(fact));
  if (at >= 0 && at < facts.shown) return [];
  const { standing } = await call('show', { handle: handleOf(fact), scope: fact.scope }).catch(() => fact);
  const isListed = facts.rows.some((row) => originOf(row) === originOf(fact));
  const why = standing && !isListed ? `${STANDS[standing]}, and shown under “${TIMES[standing].title}”.`
    : facts.query ? 'It is not among what you search for.' : 'It is not among what the filters show.';
  return [` ${why} `, linkTo(fact)];
}

// Shows it also if this is its address already.
function linkTo(fact) {
  const href = addressOf('facts', handleOf(fact));
  const again = () => {
    facts.first = null;
    if (location.hash === href) draw();
  };
  return el('a', { href, onclick: again }, 'Show it');
}

// With what it may contradict.
function learned(made) {
  const { known, handle, new_tags: labels, counts_again: again, may_replace: others } = made;
  return [
    joined([
      known ? `Already saved as fact ${handle}.` : 'Learned.',
      known && labels.length && `New tags: ${labels.join(', ')}`,
      again && 'It counts again.',
      ...(others || []).map((fact) => `It may replace ${fact.handle} ${fact.summary}: see Review`),
    ]),
    known && route().name === 'facts' && facts.known.has(place(made)) ? [' ', linkTo(made)] : null,
  ];
}

// A text that was known, and to which nothing was added.
const isAsBefore = ({ known, new_tags: labels, counts_again: again }, { times }) => known && !labels.length && !again && !times;

// What others replaced counts beside them.
const checkedAgain = (was) => ({ memories: [now] }) => {
  const others = (was.marks || []).filter((mark) => mark.startsWith('replaced by ')).map((mark) => mark.slice('replaced by '.length));
  return now.counts_again ? `Checked. It counts again${others.length ? `, beside fact ${others.join(' and ')}` : ''}.` : 'Checked.';
};

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

function forget(fact, row) {
  const text = el('p', { class: 'text' }, fact.content);
  const meanwhile = el('p', { id: 'meanwhile', class: 'meta', role: 'status' });
  const where = fact.scope === 'identity' ? 'It will be forgotten on all your laptops at the next sync. You can undo this.' : fact.scope === 'project' ? 'It will be removed from this project. You can undo this.' : `It will be removed from ${fact.scope}. You can undo this.`;
  let meant = row;
  inDialog('Forget this fact?', [text, el('p', { class: 'meta' }, where), meanwhile], 'Forget', async (form) => {
    await change('forget', { handle: handleOf(meant), scope: fact.scope }, forgotten, form);
    if (!dialog.open || dialog.firstChild !== form) return;
    // Only the text that was read is forgotten.
    const now = await standing(row);
    if (now === undefined || (now && now.hash === meant.hash)) return;
    form.querySelector('[role=alert]').textContent = '';
    if (now) meant = now;
    if (now) text.textContent = visible(now.content);
    meanwhile.textContent = now ? 'It was changed in the meantime, and says this now.' : 'It was forgotten in the meantime.';
  });
}

// What it replaced holds again.
function forgotten({ counts_again: again }) {
  return joined(['Forgotten.', ...(again || []).map((fact) => `Fact ${fact.handle} counts again: ${fact.summary}`)]);
}
