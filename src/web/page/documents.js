// Documents: the tree, search, one document's text, links between them, editing.

const FEW = 60;
const documents = { entries: [], open: null, turn: 0, asked: 0, query: '', found: null, folded: new Map() };
// Filled again and again: what is typed and what was unfolded stays.
const shelf = {
  search: el('input', { id: 'document-query', type: 'search', autocomplete: 'off', oninput: (event) => lookFor(event.target.value) }),
  count: el('p', { id: 'document-count', class: 'meta', role: 'status' }),
  tree: el('div', { id: 'tree' }),
  article: el('article', { id: 'document' }),
};

const topicOf = (entry) => entry.topic;
// Documents of the identity by their topic; others with their place before it.
const keyOf = ({ topic, scope }) => (scope && scope !== 'identity' ? `${scope}:${topic}` : topic);
const entryAt = (key) => documents.entries.find((entry) => keyOf(entry) === key);
const toDocument = (entry, label, properties) => el('a', { href: addressOf('documents', keyOf(entry)), 'data-key': `document ${keyOf(entry)}`, 'aria-current': keyOf(entry) === documents.open && 'page', ...properties }, label);

async function documentsView(open) {
  const mine = turn;
  const { entries } = await call('documents');
  if (mine !== turn) return [];
  const isThere = (list) => list.some((entry) => keyOf(entry) === open);
  const isGone = open && isThere(documents.entries) && !isThere(entries);
  documents.entries = entries;
  // One that was here, and was undone or deleted: to the list.
  if (isGone) {
    history.replaceState(null, '', '#documents');
    return documentsView('');
  }
  const isOther = open !== documents.open;
  documents.open = open || null;
  keepingFocus(drawTree);
  if (open) {
    if (isOther) shelf.article.replaceChildren(empty('Reading…'));
    await show(open);
    // It was closed while it was read.
    if (mine !== turn) return [];
  } else {
    shelf.article.replaceChildren(entries.length ? empty('Choose a document to read it here.') : []);
  }
  shelf.all = shelf.all || [
    el('h2', {}, 'Documents'),
    el('div', { id: 'docs' },
      el('nav', { 'aria-label': 'Documents' },
        el('div', { class: 'bar' },
          el('div', { class: 'wide' }, el('label', { for: 'document-query' }, 'Search'), shelf.search),
          readOnly ? null : button('New document', () => write(null), { class: 'main', 'data-key': 'new document' })),
        shelf.count, shelf.tree),
      shelf.article),
  ];
  shelf.all[1].className = open ? 'reading' : '';
  return shelf.all;
}

function drawTree() {
  const { entries, query } = documents;
  const drawn = shelf.drawn;
  shelf.drawn = null;
  if (query.trim()) {
    shelf.count.textContent = visible(documents.problem || (documents.found ? counted(documents.found.length, 'document', 'documents') : 'Searching…'));
    const named = entries.filter((entry) => [topicOf(entry), entry.name, entry.description, ...entry.tags].join('\n').toLowerCase().includes(query.trim().toLowerCase()));
    const found = documents.found || named.map((entry) => ({ entry, excerpt: entry.description }));
    if (!found.length && documents.found && !documents.problem) return shelf.tree.replaceChildren(empty('Nothing matches.'));
    shelf.tree.replaceChildren(el('ul', { class: 'rows' }, found.slice(0, FEW).map(({ entry, excerpt }) => el('li', {},
      toDocument(entry, el('bdi', {}, entry.name || topicOf(entry))), el('div', { class: 'meta' }, keyOf(entry)), el('div', { class: 'text excerpt' }, excerpt)))));
    return;
  }
  shelf.count.textContent = counted(entries.length, 'document', 'documents');
  // A link that is drawn again while somebody presses it is not followed.
  shelf.drawn = entries.length ? JSON.stringify([entries, documents.open]) : null;
  if (drawn && drawn === shelf.drawn) return;
  const root = folder();
  for (const entry of entries) {
    const names = keyOf(entry).split('/');
    let node = root;
    for (const name of names.slice(0, -1)) {
      if (!node.folders.has(name)) node.folders.set(name, folder());
      node = node.folders.get(name);
    }
    node.leaves.push([names[names.length - 1], entry]);
  }
  shelf.tree.replaceChildren(entries.length ? branch(root, '') : el('div', {}, noDocuments()));
}

const folder = () => ({ folders: new Map(), leaves: [] });

function branch(node, above) {
  return el('ul', { class: 'tree' },
    [...node.folders].map(([name, below]) => {
      const path = above + name + '/';
      const isUsual = documents.entries.length <= FEW || Boolean(documents.open && documents.open.startsWith(path));
      const details = el('details', { open: documents.folded.has(path) ? documents.folded.get(path) : isUsual, ontoggle: (event) => { if (event.target === details) documents.folded.set(path, details.open); } }, el('summary', { 'data-key': `folder ${path}` }, name), branch(below, path));
      return el('li', {}, details);
    }),
    node.leaves.map(([name, entry]) => el('li', {}, toDocument(entry, el('bdi', {}, name), { title: entry.description }))),
  );
}

let looking;
function lookFor(text) {
  Object.assign(documents, { query: text, found: null, problem: null });
  const asked = ++documents.asked;
  drawTree();
  clearTimeout(looking);
  if (!text.trim()) return;
  // By what is in them, a moment later.
  looking = setTimeout(async () => {
    const named = (entry) => [topicOf(entry), entry.name || ''].some((name) => name.toLowerCase().includes(text.trim().toLowerCase()));
    try {
      const { results } = await call('search', { query: text, limit: 20 });
      if (asked !== documents.asked) return;
      const hits = results.map((hit) => ({ entry: hit, excerpt: hit.excerpt.replace(/^#+ .*\n*/gm, '') || hit.description }));
      const known = new Set(hits.map(({ entry }) => keyOf(entry)));
      documents.found = [...hits, ...documents.entries.filter((entry) => named(entry) && !known.has(keyOf(entry))).map((entry) => ({ entry, excerpt: entry.description }))];
    } catch (error) {
      if (asked !== documents.asked) return;
      Object.assign(documents, { found: [], problem: error.message });
    }
    keepingFocus(drawTree);
  }, 150);
}

async function show(key) {
  const mine = ++documents.turn;
  const [scope, topic] = key.includes(':') ? [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)] : [null, key];
  const back = el('p', { class: 'back' }, el('a', { href: '#documents' }, '← All documents'));
  let shown;
  try {
    const [one, near, { layers }] = await Promise.all([
      call('document', scope ? { topic, scope } : { topic }),
      // co's own documents are related to nothing.
      call('related', { topic }).catch(() => null),
      scope ? call('status').catch(() => ({})) : {},
    ]);
    const isFixed = readOnly || !one.scope || (layers || []).some((layer) => layer.name === one.scope && !layer.write);
    shown = [
      back,
      el('h3', { tabindex: -1, 'data-opened': true, 'data-key': 'document heading' }, one.name),
      el('p', { class: 'meta' }, joined([key, one.type, one.source === 'user' ? 'written by you' : one.source && `from ${one.source}`, one.updated && `updated ${day(one.updated)}`]), ' ', tags(one.tags)),
      isFixed ? null : el('div', { class: 'actions' }, button('Edit', () => write(one), { 'data-key': `edit ${key}` })),
      el('div', { class: 'page' }, markdown(one.content.replace(/^\s*# .*\n/, ''), (label, target, kind) => inner(label, target, kind, topic))),
      ...connected(near),
    ].filter(Boolean);
  } catch (error) {
    shown = [back, el('h3', { tabindex: -1, 'data-opened': true, 'data-key': 'document heading' }, topic), el('p', { class: 'error' }, error.message)];
  }
  // A later one may have been shown first.
  if (mine === documents.turn) keepingFocus(() => shelf.article.replaceChildren(...shown));
}

const RELATIONS = [['links_to_it', 'Linked from'], ['names_it', 'Named in'], ['linked_from_it', 'Links to']];

// What is connected with a document: others by how, then facts.
function connected(near) {
  if (!near || !near.count) return [];
  const section = (title, items) => items.length ? [el('h4', {}, `${title} (${items.length})`), el('ul', { class: 'related' }, items)] : [];
  const others = RELATIONS.flatMap(([relation, title]) => section(title, near.documents
    .filter((other) => other.relation === relation)
    .map((other) => el('li', {}, toDocument(other, other.topic, { 'data-key': null, title: other.description })))));
  const about = near.facts.map((fact) => el('li', {}, el('a', { href: addressOf('facts', handleOf(fact)) }, `${fact.handle} `, el('bdi', {}, fact.summary))));
  return [el('section', { 'aria-label': 'Related' }, others, section('Facts', about))];
}

// A link to another document, or null if there is none.
function inner(label, target, kind, from) {
  const entry = kind === 'name' ? byName(target) : byPath(target, from);
  return entry && toDocument(entry, label, { 'data-key': null });
}

// By its name or title, wherever it is.
function byName(text) {
  const wanted = text.trim().toLowerCase();
  const slug = wanted.replace(/\s+/g, '-');
  return documents.entries.find((entry) => {
    const topic = topicOf(entry).toLowerCase();
    return topic === slug || topic.endsWith('/' + slug) || (entry.name || '').toLowerCase() === wanted;
  });
}

// By its path from the document that links to it.
function byPath(target, from) {
  let path = target.replace(/[#?].*$/, '');
  try { path = decodeURIComponent(path); } catch { return null; }
  const folders = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const name of path.replace(/\.md$/, '').split('/')) {
    if (name === '..') folders.pop();
    else if (name && name !== '.') folders.push(name);
  }
  const topic = folders.join('/').toLowerCase();
  return documents.entries.find((entry) => topicOf(entry).toLowerCase() === topic);
}

// A new document, or the text of one. A text that came meanwhile is shown before it is replaced.
async function write(one) {
  const { topic, scope } = one || {};
  let based = { text: '', hash: null };
  if (one) {
    try { based = await call('opened', { topic, scope }); } catch (error) { return problem(error); }
  }
  const meanwhile = el('p', { id: 'meanwhile', class: 'meta', role: 'status' });
  const text = el('textarea', { id: 'document-text', required: true, spellcheck: true, value: based.text });
  const name = el('input', { id: 'document-topic', required: true, autocomplete: 'off', 'aria-describedby': 'hint-topic' });
  const place = one ? [] : [el('label', { for: 'document-topic' }, 'Topic'), name, el('div', { id: 'hint-topic', class: 'meta' }, 'a path of lower-case names, such as guides/deploy-steps')];
  const fields = [...place, el('label', { for: 'document-text' }, 'Text, in Markdown; its first heading is its name'), text, meanwhile];
  inDialog(one ? `Edit ${topic}` : 'New document', fields, 'Save', async (form) => {
    if (!one) {
      const wanted = topicFor(name.value);
      if (wanted !== name.value.trim()) {
        name.value = wanted;
        name.focus();
        return problem(new Refused(wanted ? `The topic is ${wanted} now, in lower-case names. Save again to keep it, or change it.` : 'A topic has letters or digits.'), form);
      }
      return change('add-document', { topic: wanted, text: text.value }, ({ topic: made, scope: where }) => {
        history.pushState(null, '', addressOf('documents', keyOf({ topic: made, scope: where })));
        return 'Saved.';
      }, form);
    }
    await change('edit-document', { topic, scope, text: text.value, based_on: based.hash }, 'Saved.', form);
    if (!dialog.open || dialog.firstChild !== form) return;
    const now = await call('opened', { topic, scope }).catch(() => null);
    if (!now || now.hash === based.hash) return;
    based = now;
    meanwhile.textContent = visible(`It now says:\n${now.text}\nSave again to replace it with your text.`);
  }, { class: 'large' });
}

// As the hint asks for it: lower-case names, with hyphens between their words.
function topicFor(typed) {
  const slug = (part) => part.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[-.]+|-+$/g, '');
  return typed.trim().toLowerCase().replace(/\.md$/, '').split('/').map(slug).filter(Boolean).join('/');
}

function noDocuments() {
  return [
    el('p', {}, 'No documents yet. A document is for what does not fit in a sentence: how you deploy, who is who, a decision and its reasons. Agents find it when they need it.'),
    el('p', {}, 'In a terminal: ', command('co knowledge add FILE'), ' takes a text, a PDF or a web page.'),
  ];
}
