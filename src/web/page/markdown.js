// Markdown as elements: headings, lists, tables, quotes, code, paragraphs, links. `link` makes the
// element of a link within the identity.

const MAX_SHOWN = 200000;
const MAX_DEPTH = 4;

function markdown(whole, link) {
  const text = whole.slice(0, MAX_SHOWN);
  const blocks = [];
  let [lines, quoted, cells] = [[], [], []];
  let code = null;
  // The lists that are open, the innermost last, and the lines of the item that is read.
  let lists = [];
  let item = null;
  let [afterBlank, above, tables] = [false, '', 0];
  const place = () => (lists.length ? lists[lists.length - 1].element.lastChild : null);
  const put = (element) => { const into = place(); if (into) into.append(element); else blocks.push(element); };
  const paragraph = () => {
    if (item) item.element.append(...inline(item.lines.join('\n'), link).map(shownText));
    if (lines.length) put(el('p', { class: 'text' }, inline(lines.join('\n'), link)));
    if (quoted.length) put(el('blockquote', { class: 'text', dir: 'auto' }, inline(quoted.join('\n'), link)));
    if (cells.length) put(table(cells, link, joined([`Table${tables++ ? ` ${tables}` : ''}`, above])));
    [lines, quoted, cells, item] = [[], [], [], null];
  };
  // A line that is not within an item ends the lists.
  const within = (line) => { if (lists.length && !/^( {2}|\t)/.test(line)) lists = []; };
  const heading = (level, words) => {
    paragraph();
    lists = [];
    above = words.replace(/[`*_]/g, '').slice(0, 100);
    blocks.push(el(level < 3 ? 'h3' : 'h4', {}, inline(words, link)));
  };
  for (const line of text.split('\n')) {
    const fence = /^\s{0,40}(`{3,9}|~{3,9})/.exec(line);
    const head = /^(#{1,6})\s/.exec(line);
    const under = lines.length && !lists.length && /^ {0,3}(=+|-+) *$/.exec(line.slice(0, 200));
    const found = /^(\s{0,40})(?:[-*+]|(\d{1,9})[.)])\s/.exec(line);
    if (code) {
      const ends = fence && fence[1].startsWith(code.fence) && !line.slice(fence[0].length).trim();
      if (ends) { put(el('pre', {}, code.lines.join('\n'))); code = null; } else code.lines.push(line.startsWith(code.indent) ? line.slice(code.indent.length) : line);
    } else if (fence) {
      paragraph();
      within(line);
      code = { fence: fence[1], indent: /^\s*/.exec(fence[0])[0], lines: [] };
    } else if (head) {
      heading(head[1].length, line.slice(head[0].length).trim());
    } else if (under) {
      const words = lines.join(' ');
      lines = [];
      heading(under[1].startsWith('=') ? 1 : 2, words);
    } else if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line.slice(0, 200))) {
      paragraph();
      lists = [];
      blocks.push(el('hr', {}));
    } else if (found) {
      paragraph();
      item = listItem(lists, found, blocks);
      item.lines.push(line.slice(found[0].length).trim());
    } else if (/^\s*\|/.test(line)) {
      if (!cells.length) { paragraph(); within(line); }
      cells.push(line);
    } else if (/^\s*>/.test(line)) {
      if (!quoted.length) { paragraph(); within(line); }
      quoted.push(line.replace(/^\s*> ?/, ''));
    } else if (!line.trim()) {
      paragraph();
    } else if (item && !afterBlank) {
      item.lines.push(line.trim());
    } else {
      if (cells.length || quoted.length) paragraph();
      if (!lines.length) within(line);
      lines.push(lists.length ? line.trim() : line);
    }
    afterBlank = !line.trim();
  }
  paragraph();
  if (code) put(el('pre', {}, code.lines.join('\n')));
  if (text !== whole) blocks.push(empty('Only the beginning is shown; the file has all of it.'));
  return blocks;
}

const shownText = (part) => (typeof part === 'string' ? visible(part) : part);

// An item of the list that its indentation says: of one that is open, or of a new one within the
// item before it.
function listItem(lists, [, blanks, number], blocks) {
  const kind = number === undefined ? 'ul' : 'ol';
  const indent = blanks.replace(/\t/g, '    ').length;
  while (lists.length > 1 && lists[lists.length - 1].indent > indent) lists.pop();
  const last = lists[lists.length - 1];
  const isDeeper = last && indent >= last.indent + 2 && lists.length <= MAX_DEPTH;
  if (last && !isDeeper && last.element.localName !== kind) lists.pop();
  if (!last || isDeeper || last.element.localName !== kind) {
    const element = el(kind, { dir: 'auto', start: kind === 'ol' && Number(number) !== 1 && number });
    const above = lists[lists.length - 1];
    if (above) above.element.lastChild.append(element); else blocks.push(element);
    lists.push({ element, indent });
  }
  const element = el('li', { class: 'text' });
  lists[lists.length - 1].element.append(element);
  return { element, lines: [] };
}

const MAX_CELLS = 40;

// The second line says that the first one is a heading.
function table(lines, link, label) {
  const row = (line) => line.trim().replace(/^\||\|$/g, '').split('|', MAX_CELLS).map((cell) => cell.trim());
  const isRule = (line) => /^[\s|:-]+$/.test(line) && line.includes('-');
  const head = lines.length > 1 && isRule(lines[1]) ? row(lines[0]) : null;
  const body = lines.slice(head ? 2 : 0).map(row);
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, el('table', {},
    head && el('thead', {}, el('tr', {}, head.map((cell) => (cell ? el('th', { scope: 'col' }, inline(cell, link)) : el('td', {}))))),
    el('tbody', {}, body.map((cells) => el('tr', {}, cells.map((cell) => el('td', {}, inline(cell, link)))))),
  ));
}

// Bounded, so that a text of brackets takes no longer than any other. In this order: code, a picture
// that is a link, a picture, a name, a link, an address, strong, stressed, gone.
const TARGET = String.raw`\(([^)\s]{1,1000})(?:[ \t]+"[^"\n]{0,200}")?\)`;
const MARKS = new RegExp([
  /`([^`\n]{1,300})`/.source,
  String.raw`\[!\[([^\]\n]{0,200})\]\([^)\s]{1,1000}\)\]${TARGET}`,
  String.raw`!\[([^\]\n]{0,200})\]${TARGET}`,
  /\[\[([^\]|#\n]{1,200})(?:#[^\]|\n]{0,200})?(?:\|([^\]\n]{1,200}))?\]\]/.source,
  String.raw`\[([^\]\n]{1,300})\]${TARGET}`,
  /<(https?:\/\/[^\s<>]{1,1000})>|(?<!\w)(https?:\/\/[^\s<>"`|]{1,1000})/.source,
  /\*\*([^*\n]{1,300})\*\*|(?<!\w)__([^_\n]{1,300})__(?!\w)/.source,
  /(?<![\w*])\*([^*\s][^*\n]{0,300})\*(?![\w*])|(?<![\w_])_([^_\s][^_\n]{0,300})_(?![\w_])/.source,
  /~~([^~\n]{1,300})~~/.source,
].join('|'), 'gi');

const away = (href, label) => el('a', { href, target: '_blank', rel: 'noreferrer noopener' }, label);

function inline(text, link) {
  const parts = [];
  let from = 0;
  // What is to be done, at the beginning of an item.
  const task = /^\[([ xX])\]\s/.exec(text);
  if (task) {
    const isDone = task[1] !== ' ';
    parts.push(el('span', { role: 'img', 'aria-label': isDone ? 'done:' : 'to do:' }, isDone ? '☑' : '☐'), ' ');
    from = task[0].length;
  }
  for (const match of text.matchAll(MARKS)) {
    if (match.index < from) continue;
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [whole, code, badge, around, picture, image, wiki, alias, label, target, inAngles, bare, strong, strong2, stressed, stressed2, gone] = match;
    if (code) parts.push(el('code', {}, code));
    else if (around) parts.push(linked(badge || 'picture', around, whole, link));
    else if (image) parts.push(/^https?:\/\//i.test(image) ? away(image, `picture: ${picture || image}`) : el('span', { class: 'meta' }, joined(['picture', picture || image])));
    else if (strong || strong2) parts.push(el('strong', {}, strong || strong2));
    else if (stressed || stressed2) parts.push(el('em', {}, stressed || stressed2));
    else if (gone) parts.push(el('s', {}, gone));
    else if (wiki) parts.push(link(alias || wiki, wiki, 'name') || whole);
    else if (inAngles) parts.push(away(inAngles, inAngles));
    else if (bare) {
      const address = bareAddress(bare);
      parts.push(away(address, address));
      from = match.index + address.length;
    } else parts.push(linked(label, target, whole, link));
  }
  parts.push(text.slice(from));
  return parts;
}

function linked(label, target, whole, link) {
  if (/^https?:\/\//i.test(target)) return away(target, label);
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return whole;
  return link(label, target, 'path') || label;
}

// Without what ends the sentence around it; a bracket belongs to it if it was opened in it.
function bareAddress(found) {
  let address = found;
  for (;;) {
    const last = address.slice(-1);
    const isOpened = last === ')' && address.split('(').length >= address.split(')').length;
    if (!/[.,;:!?)'\]*_~]/.test(last) || isOpened) return address;
    address = address.slice(0, -1);
  }
}
