// Documents: the tree, one document's text, links between them.

const documents = { entries: [], open: null, turn: 0, article: el('article', { id: 'document' }) };

const topicOf = (entry) => entry.topic;

async function documentsView() {
  const mine = turn;
  const { entries } = await call('documents');
  if (mine !== turn) return [];
  documents.entries = entries;
  const tree = { folders: new Map(), leaves: [] };
  for (const entry of documents.entries) {
    const names = topicOf(entry).split('/');
    let node = tree;
    for (const name of names.slice(0, -1)) {
      if (!node.folders.has(name)) node.folders.set(name, { folders: new Map(), leaves: [] });
      node = node.folders.get(name);
    }
    node.leaves.push([names[names.length - 1], entry]);
  }
  const leaf = ([name, entry]) => el('li', {}, button(name, () => show(topicOf(entry)), { class: 'link', 'data-key': `document ${topicOf(entry)}`, title: entry.description }));
  const list = (node) => el('ul', { class: 'tree' },
    [...node.folders].map(([name, below]) => el('li', {}, el('details', { open: true }, el('summary', {}, name), list(below)))),
    node.leaves.map(leaf),
  );
  if (documents.open) await show(documents.open);
  return [
    el('h2', {}, 'Documents'),
    documents.entries.length
      ? el('div', { class: 'docs' }, el('nav', { 'aria-label': 'Documents' }, list(tree)), documents.article)
      : empty('No documents yet. Add one with co knowledge add FILE.'),
  ];
}

async function show(topic) {
  const turn = ++documents.turn;
  documents.open = topic;
  let shown;
  try {
    const [one, near] = await Promise.all([
      call('document', { topic }),
      // co's own documents are related to nothing.
      call('related', { topic }).catch(() => null),
    ]);
    shown = [
      el('h3', {}, one.name),
      el('p', { class: 'meta' }, joined([one.type, one.source, one.updated && `updated ${day(one.updated)}`]), ' ', tags(one.tags)),
      ...markdown(one.content.replace(/^\s*# .*\n/, ''), (label, target, kind) => inner(label, target, kind, topic)),
      ...connected(near),
    ];
  } catch (error) {
    shown = [el('p', { class: 'error' }, error.message)];
  }
  // A later one may have been shown first.
  if (turn === documents.turn) documents.article.replaceChildren(...shown);
}

const RELATIONS = [['links_to_it', 'Linked from'], ['names_it', 'Named in'], ['linked_from_it', 'Links to']];

// What is connected with a document: others by how, then facts.
function connected(near) {
  if (!near || !near.count) return [];
  const section = (title, items) => items.length ? [el('h4', {}, `${title} (${items.length})`), el('ul', { class: 'related' }, items)] : [];
  const others = RELATIONS.flatMap(([relation, title]) => section(title, near.documents
    .filter((other) => other.relation === relation)
    .map(({ topic, description }) => el('li', {}, button(topic, () => show(topic), { class: 'link', title: description })))));
  const facts = near.facts.map((fact) => el('li', {}, `${fact.handle} ${fact.summary}`));
  return [el('section', { 'aria-label': 'Related' }, others, section('Facts', facts))];
}

// A link to another document, or null if there is none.
function inner(label, target, kind, from) {
  const topic = kind === 'name' ? named(target) : at(target, from);
  return topic && button(label, () => show(topic), { class: 'link' });
}

// By its name or title, wherever it is.
function named(text) {
  const wanted = text.trim().toLowerCase();
  const slug = wanted.replace(/\s+/g, '-');
  const fits = (entry) => {
    const topic = topicOf(entry).toLowerCase();
    return topic === slug || topic.endsWith('/' + slug) || (entry.name || '').toLowerCase() === wanted;
  };
  const found = documents.entries.find(fits);
  return found && topicOf(found);
}

// By its path from the document that links to it.
function at(target, from) {
  let path = target.replace(/[#?].*$/, '');
  try { path = decodeURIComponent(path); } catch { return null; }
  const folders = path.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const name of path.replace(/\.md$/, '').split('/')) {
    if (name === '..') folders.pop();
    else if (name && name !== '.') folders.push(name);
  }
  const topic = folders.join('/').toLowerCase();
  const found = documents.entries.find((entry) => topicOf(entry).toLowerCase() === topic);
  return found && topicOf(found);
}
