// Markdown as elements: headings, lists, tables, quotes, code, paragraphs, links. `link` makes the
// element of a link within the identity.

const MAX_SHOWN = 200000;
const MAX_DEPTH = 4;

function markdown(whole, link) {
  const text = whole.slice(0, MAX_SHOWN);
  const blocks = [];
  let [lines, quoted, cells] = [[], [], []];
  let code = null;
  let list = null;
  const paragraph = () => {
    if (lines.length) blocks.push(el('p', { class: 'text' }, inline(lines.join('\n'), link)));
    if (quoted.length) blocks.push(el('blockquote', { class: 'text' }, inline(quoted.join('\n'), link)));
    if (cells.length) blocks.push(table(cells, link));
    [lines, quoted, cells] = [[], [], []];
    list = null;
  };
  for (const line of text.split('\n')) {
    const fence = /^\s*(```|~~~)/.test(line);
    const heading = /^(#{1,6})\s/.exec(line);
    const item = /^(\s{0,40})(?:([-*+])|\d{1,9}[.)])\s/.exec(line);
    if (code !== null) {
      if (fence) { blocks.push(el('pre', {}, code.join('\n'))); code = null; } else code.push(line);
    } else if (fence) {
      paragraph();
      code = [];
    } else if (heading) {
      paragraph();
      blocks.push(el(heading[1].length < 3 ? 'h3' : 'h4', {}, inline(line.slice(heading[0].length).trim(), link)));
    } else if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line.slice(0, 200))) {
      paragraph();
      blocks.push(el('hr', {}));
    } else if (item) {
      const kind = item[2] ? 'ul' : 'ol';
      const depth = Math.min(Math.floor(item[1].length / 2), MAX_DEPTH);
      if (!list || (list.localName !== kind && !depth)) { paragraph(); list = el(kind, {}); blocks.push(list); }
      list.append(el('li', { class: depth && `in${depth}` }, inline(line.slice(item[0].length).trim(), link)));
    } else if (/^\s*\|/.test(line)) {
      if (!cells.length) paragraph();
      cells.push(line);
    } else if (/^\s*>/.test(line)) {
      if (!quoted.length) paragraph();
      quoted.push(line.replace(/^\s*> ?/, ''));
    } else if (!line.trim()) {
      paragraph();
    } else {
      if (cells.length || quoted.length) paragraph();
      list = null;
      lines.push(line);
    }
  }
  if (code) blocks.push(el('pre', {}, code.join('\n')));
  paragraph();
  if (text !== whole) blocks.push(empty('Only the beginning is shown; the file has all of it.'));
  return blocks;
}

const MAX_CELLS = 40;

// The second line says that the first one is a heading.
function table(lines, link) {
  const row = (line) => line.trim().replace(/^\||\|$/g, '').split('|', MAX_CELLS).map((cell) => cell.trim());
  const isRule = (line) => /^[\s|:-]+$/.test(line) && line.includes('-');
  const head = lines.length > 1 && isRule(lines[1]) ? row(lines[0]) : null;
  const body = lines.slice(head ? 2 : 0).map(row);
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table' }, el('table', {},
    head && el('thead', {}, el('tr', {}, head.map((cell) => (cell ? el('th', { scope: 'col' }, inline(cell, link)) : el('td', {}))))),
    el('tbody', {}, body.map((cells) => el('tr', {}, cells.map((cell) => el('td', {}, inline(cell, link)))))),
  ));
}

// Bounded, so that a text of brackets takes no longer than any other.
const MARKS = /`([^`\n]{1,300})`|\[\[([^\]|#\n]{1,200})(?:#[^\]|\n]{0,200})?(?:\|([^\]\n]{1,200}))?\]\]|\[([^\]\n]{1,300})\]\(([^)\s]{1,1000})\)|\*\*([^*\n]{1,300})\*\*|(?<![\w*])\*([^*\s][^*\n]{0,300})\*(?![\w*])|~~([^~\n]{1,300})~~/g;

function inline(text, link) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(MARKS)) {
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [whole, code, wiki, alias, label, target, strong, stressed, gone] = match;
    if (code) parts.push(el('code', {}, code));
    else if (strong) parts.push(el('strong', {}, strong));
    else if (stressed) parts.push(el('em', {}, stressed));
    else if (gone) parts.push(el('s', {}, gone));
    else if (wiki) parts.push(link(alias || wiki, wiki, 'name') || whole);
    else if (/^https?:\/\//i.test(target)) parts.push(el('a', { href: target, target: '_blank', rel: 'noreferrer noopener' }, label));
    else if (/^[a-z][a-z0-9+.-]*:/i.test(target)) parts.push(whole);
    else parts.push(link(label, target, 'path') || label);
  }
  parts.push(text.slice(from));
  return parts;
}
