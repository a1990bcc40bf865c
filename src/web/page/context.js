// Context: what each agent gets at the start of a session, and how much of its budget each part takes.

const seenBy = { agent: '' };

async function context() {
  const [{ text, layers }, { agents: connected }] = await Promise.all([call('context', { agent: seenBy.agent || null }), call('status')]);
  const total = layers.reduce((sum, layer) => sum + layer.tokens, 0);
  const select = el('select', { id: 'agent-of-context', onchange: (event) => { seenBy.agent = event.target.value; draw(); } },
    el('option', { value: '' }, 'any agent'), connected.map((agent) => el('option', { value: agent.name }, agent.title)));
  select.value = seenBy.agent;
  const kib = (bytes) => (bytes / 1024).toFixed(1);
  const row = (layer) => el('tr', {},
    el('th', { scope: 'row' }, layer.layer),
    el('td', {}, el('meter', { min: 0, max: layer.budget, high: layer.budget * 0.9, value: Math.min(layer.bytes, layer.budget), 'aria-label': `${layer.layer}: ${kib(layer.bytes)} of ${kib(layer.budget)} KiB` })),
    el('td', {}, `${kib(layer.bytes)} of ${kib(layer.budget)} KiB`),
    el('td', {}, String(layer.tokens)),
    el('td', { class: 'meta' }, joined([...layer.files, ...layer.notes])),
  );
  return [
    el('h2', {}, 'Context'),
    el('label', { for: 'agent-of-context' }, 'Agent'), select,
    el('p', {}, `Read at the start of a session: about ${total} tokens.`),
    el('div', { class: 'halves' }, el('div', {}, el('h3', {}, 'Layers'), el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Layers' }, el('table', {}, el('thead', {}, el('tr', {}, ['Layer', 'Budget', '', 'Tokens', 'From'].map((name) => (name ? el('th', { scope: 'col' }, name) : el('td', {}))))), el('tbody', {}, layers.map(row))))),
      el('section', { 'aria-labelledby': 'text' }, el('h3', { id: 'text' }, 'Text'), el('div', { class: 'context' }, text))),
  ];
}
