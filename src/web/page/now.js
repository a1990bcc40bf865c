// Now: what waits, who reads and writes, what was learned.

async function now() {
  const [status, profile, { memories }] = await Promise.all([call('status'), call('profile'), call('list')]);
  named(status);
  const changes = el('div', {}, el('p', { class: 'empty' }, 'Reading the log…'));
  // The log may hold operations on thousands of facts: the rest does not wait for it.
  call('log', { limit: 500 }).then(({ operations }) => {
    keepingFocus(() => changes.replaceChildren(
      el('h3', {}, 'Learned on this laptop in the last 14 days'),
      chart(operations),
      el('h3', {}, 'Latest changes'),
      el('ul', { class: 'rows' }, standings(operations).slice(0, 12).map(operation)),
    ));
    undoOnce();
  }, (error) => changes.replaceChildren(el('p', { class: 'error' }, error.message)));
  const pinned = memories.filter((row) => row.pinned);
  const titles = pinned.map((row) => el('a', { href: addressOf('facts', handleOf(row)) }, row.summary));
  // A list has only their beginnings.
  if (pinned.length) call('texts', { facts: pinned.map((row) => ({ handle: handleOf(row), scope: row.scope })) }).then(({ texts }) => texts.forEach((text, at) => { if (text) titles[at].textContent = visible(text); }), () => {});
  // Without the margin and the headings that an agent gets.
  const lines = profile.text.split('\n').filter((line) => line.startsWith('│')).map((line) => line.replace(/^│ ?/, ''));
  const text = lines.filter((line) => !/^# Profile\s*$/.test(line)).join('\n');
  const waits = waiting(status);
  const layers = status.layers || [];
  const waitsHere = el('section', {}, el('h3', {}, 'Waiting for you'), waits.length ? el('ul', {}, waits) : empty('Nothing.'));
  const isNew = !status.counts.memories && !status.not_held && !layers.length;
  return [
    el('h2', {}, 'Now'),
    el('p', {}, joined([counted(status.counts.memories, 'fact', 'facts'), status.not_held && `${status.not_held} more not now`, counted(status.counts.documents, 'document', 'documents')])),
    el('p', { class: 'meta' }, joined([short(status.identity), syncState(status.git)])),
    isNew ? begin(status) : null,
    isNew ? waitsHere : el('div', { class: 'halves' },
      el('div', {},
        el('div', { class: 'grid' },
          waitsHere,
          el('section', {}, el('h3', {}, 'Agents'), agents(status.agents)),
        ),
        el('div', { class: 'grid' },
          el('section', {}, el('h3', {}, 'Profile'), ...markdown(text, (label) => label)),
          el('section', {}, el('h3', {}, 'Pinned'), pinned.length ? el('ul', {}, titles.map((title) => el('li', { class: 'text' }, title))) : empty('No facts are pinned. Pin what agents should know in every session.')),
        ),
        layers.length ? el('section', {}, el('h3', {}, 'Layers'), el('ul', {}, layers.map(layerOf))) : null,
      ),
      changes,
    ),
  ];
}

const layerOf = (layer) => el('li', {}, `${layer.name}: `, joined([counted(layer.counts.memories, 'fact', 'facts'), counted(layer.counts.documents, 'document', 'documents'), layer.write ? 'you write to it' : 'only read here', layer.url && short(layer.url)]));

function withoutIdentity(status) {
  return [
    el('h2', {}, 'Begin here'),
    el('p', {}, `There is no identity yet in ${short(status.identity)}. It is a folder of text files with what your agents know about you.`),
    el('ol', { class: 'steps' },
      el('li', {}, 'Begin one: ', command('co init')),
      el('li', {}, 'Or take the one of another laptop: ', command('co init URL')),
    ),
    el('p', {}, 'This page shows it as soon as it is there.'),
  ];
}

// What to do first, until the first fact.
function begin(status) {
  const git = status.git || {};
  return el('section', { class: 'begin', 'aria-labelledby': 'begin' },
    el('h3', { id: 'begin' }, 'Begin here'),
    el('p', {}, 'Your agents know nothing about you yet. What you say once is known to each of them, on each of your laptops.'),
    el('ol', { class: 'steps' },
      el('li', {}, 'Say something that is true of you. ', readOnly ? command('co learn "Prefers short answers"') : button('Add a fact', () => edit(null, null, ''), { class: 'main', 'data-key': 'add first' })),
      status.agents.length ? null : el('li', {}, 'Connect your agents: ', command('co agent install --all')),
      el('li', {}, 'Take over what they know already, one by one in Review: ', command('co agent import --review')),
      git.remote ? null : el('li', {}, 'Keep it the same on another laptop, by a git repository of yours: ', command('co identity remote URL')),
    ),
  );
}

function syncState(git) {
  if (!git) return 'not in a git repository';
  if (!git.remote) return 'no remote';
  return `${short(git.url)}, ${git.last_sync ? 'last synced ' + moment(git.last_sync) : 'never synced'}`;
}

function waiting(status) {
  const git = status.git || { uncommitted: [], look: [] };
  const waits = [];
  // No step without its command.
  const step = (text, act) => [`${text}: `, command(act)];
  if (status.to_review) waits.push(el('a', { href: '#review' }, `${counted(status.to_review, 'proposal', 'proposals')} to review`));
  if (status.unchecked) waits.push(el('a', { href: '#review' }, `${counted(status.unchecked, 'fact is', 'facts are')} unchecked`));
  const open = [git.uncommitted.length && `${counted(git.uncommitted.length, 'file', 'files')} not committed`, git.unpublished && `${counted(git.unpublished, 'commit', 'commits')} not published`].filter(Boolean);
  // Without a remote, nobody waits for a commit.
  if (open.length && git.remote) waits.push(step(open.join(', '), 'co sync'));
  if (git.problem) waits.push(git.problem);
  waits.push(...git.look.map((look) => `please look at ${look}`));
  waits.push(...status.missing_secrets.map((name) => step(`The secret ${name} is missing on this laptop`, `co secret set ${name}`)));
  return waits.map((one) => el('li', {}, one));
}

function agents(list) {
  if (!list.length) return el('p', { class: 'empty' }, 'No agents are connected: ', command('co agent install --all'));
  const head = el('tr', {}, ['Agent', 'Last read', 'Last wrote'].map((text) => el('th', { scope: 'col' }, text)));
  const row = (agent) => el('tr', {}, el('th', { scope: 'row' }, agent.title), el('td', {}, ago(agent.read_ago)), el('td', {}, ago(agent.wrote_ago)));
  return el('table', {}, el('thead', {}, head), el('tbody', {}, list.map(row)));
}

// Who undid what, and undid that again, is one change and how it stands now: a row has the change
// itself, and the last operation on it.
function standings(operations) {
  const known = new Map(operations.map((entry) => [entry.op, entry]));
  const rootOf = (entry) => (known.has(entry.undoes) ? rootOf(known.get(entry.undoes)) : entry);
  const rows = new Map();
  for (const entry of operations) {
    const root = rootOf(entry);
    if (!rows.has(root.op)) rows.set(root.op, { root, last: entry });
  }
  return [...rows.values()];
}

// Verbs that the log of the command line leaves as they are.
const PAST = {
  write: 'wrote', add: 'added', delete: 'deleted', move: 'moved', migrate: 'migrated', seed: 'began with', notes: 'took notes:',
  'hand-off': 'handed off', review: 'reviewed', 'by hand': 'changed by hand:', 'identity move': 'moved',
};

function operation({ root, last }) {
  const isUndone = root.undone;
  // One without its change: that is older than what was read.
  const again = root.undoes !== null;
  const what = again ? root.what.replace(/^((undo|redo): )+/, '') : root.what;
  const did = PAST[root.verb] || root.did;
  const act = isUndone || again ? 'Redo' : 'Undo';
  // What is outside the identity is not taken back here; what several undid, by what undid them.
  const isFixed = readOnly || last.undone || ['export', 'install', 'uninstall'].includes(root.verb);
  const undo = isFixed ? null : button(act, () => change('undo', { op: last.op }, undone(`${act === 'Redo' ? 'Redone' : 'Undone'}: ${what}.`)), { 'data-key': `undo ${root.op}`, 'data-op': last.op, 'aria-label': `${act}: ${did} ${what}` });
  const since = last !== root && `${isUndone ? 'undone' : 'redone'} ${moment(last.at)}`;
  return el('li', { class: 'beside' },
    el('div', {},
      el('div', {}, `${did} `, el('bdi', {}, what)),
      el('div', { class: 'meta' }, joined([`${moment(root.at)}${root.client ? ` by ${root.client}` : ''}`, since || (isUndone && 'undone')])),
    ),
    undo,
  );
}

// Facts learned a day, by who saved them: bars, and the same as text.
function chart(operations) {
  const days = [];
  const noon = new Date(`${dayOf(new Date())}T12:00:00Z`);
  for (let back = 13; back >= 0; back--) {
    const date = new Date(noon);
    date.setUTCDate(date.getUTCDate() - back);
    days.push({ label: day(date.toISOString().slice(0, 10)).replace(/ \d+$/, ''), key: date.toISOString().slice(0, 10), by: new Map() });
  }
  const who = [];
  for (const entry of operations) {
    const learned = ((entry.meaning || {}).learned || []).length;
    const found = days.find((one) => one.key === dayOf(new Date(entry.at)));
    // What an undo or a sync brings was learned before, or elsewhere.
    if (!learned || !found || entry.undone || entry.undoes || ['sync', 'merge'].includes(entry.verb)) continue;
    const client = !entry.client || entry.client === 'web' ? 'you' : entry.client;
    if (!who.includes(client)) who.push(client);
    found.by.set(client, (found.by.get(client) || 0) + learned);
  }
  if (!who.length) return empty('Nothing was learned here in the last 14 days.');
  const total = (one) => [...one.by.values()].reduce((a, b) => a + b, 0);
  const most = Math.max(...days.map(total));
  const said = days.filter(total).map((one) => `${one.label}: ${[...one.by].map(([client, n]) => `${client} ${n}`).join(', ')}`).join('; ');
  const picture = svg('svg', { viewBox: '0 0 560 122', role: 'img', 'aria-label': `Facts learned per day. ${said}` });
  days.forEach((one, at) => {
    let y = 96;
    who.forEach((client, index) => {
      const height = ((one.by.get(client) || 0) / most) * 80;
      y -= height;
      if (height) picture.append(svg('rect', { x: at * 40 + 6, y, width: 28, height, class: `s${Math.min(index, 4)}` }));
    });
    const label = { x: at * 40 + 20, 'text-anchor': 'middle' };
    if (total(one)) picture.append(svg('text', { ...label, y: y - 3 }, total(one)));
    if (at % 3 === 1) picture.append(svg('text', { ...label, y: 112 }, one.label));
  });
  const key = (client, index) => {
    const square = svg('svg', { viewBox: '0 0 10 10', 'aria-hidden': 'true' });
    square.append(svg('rect', { width: 10, height: 10, class: `s${Math.min(index, 4)}` }));
    return el('span', {}, el('span', { class: 'key' }, square), client, ' ');
  };
  return el('div', {}, picture, el('p', { class: 'meta' }, who.map(key)));
}
