// Context: what each agent gets at the start of a session, and how much of its budget each part takes.

const seenBy = { agent: '' };

async function context() {
  const [{ text, layers: parts }, { agents: connected }] = await Promise.all([call('context', { agent: seenBy.agent || null }), call('status')]);
  const total = parts.reduce((sum, part) => sum + part.tokens, 0);
  const select = el('select', { id: 'agent-of-context', onchange: (event) => { seenBy.agent = event.target.value; draw(); } },
    el('option', { value: '' }, 'any agent'), connected.map((agent) => el('option', { value: agent.name }, agent.title)));
  select.value = seenBy.agent;
  const kib = (bytes) => (bytes / 1024).toFixed(1);
  // Its name, and below it what it is from: narrow windows have no room for a column.
  const row = (part) => el('tr', {},
    el('th', { scope: 'row' }, nameOf(part.layer), el('div', { class: 'meta' }, joined([...part.files, ...part.notes]))),
    el('td', {}, el('meter', { min: 0, max: part.budget, high: part.budget * 0.9, value: Math.min(part.bytes, part.budget), 'aria-label': `${nameOf(part.layer)}: ${kib(part.bytes)} of ${kib(part.budget)} KiB` }),
      el('div', { class: 'whole' }, `${kib(part.bytes)} of ${kib(part.budget)} KiB`)),
    el('td', {}, String(part.tokens)),
  );
  return [
    el('h2', {}, 'Context'),
    el('label', { for: 'agent-of-context' }, 'Agent'), select,
    el('p', {}, `Read at the start of a session: about ${total} tokens.`),
    el('div', { class: 'halves' }, el('div', {}, el('h3', {}, 'Parts'), el('table', { class: 'parts' }, el('thead', {}, el('tr', {}, ['Part, and what it is from', 'Budget', 'Tokens'].map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, parts.map(row)))),
      el('section', { 'aria-labelledby': 'text' }, el('h3', { id: 'text' }, 'Text'), el('p', { class: 'meta' }, 'As agents get it: they know your facts as memories.'), el('div', { class: 'context' }, text))),
  ];
}

// Agents are told of memories; here they are facts.
const nameOf = (part) => part.replace(/memories/g, 'facts');
