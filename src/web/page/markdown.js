// Markdown as elements: headings, lists, code, paragraphs, links. `link` makes the element of a link
// within the identity.

const MAX_SHOWN = 200000;

function markdown(whole, link) {
  const text = whole.slice(0, MAX_SHOWN);
  const blocks = [];
  let lines = [];
  let code = null;
  let list = null;
  const paragraph = () => {
    if (lines.length) blocks.push(el('p', { class: 'text' }, inline(lines.join('\n'), link)));
    lines = [];
    list = null;
  };
  for (const line of text.split('\n')) {
    const fence = /^\s*(```|~~~)/.test(line);
    const heading = /^(#{1,6})\s/.exec(line);
    const item = /^\s*(?:([-*+])|\d{1,9}[.)])\s/.exec(line);
    if (code !== null) {
      if (fence) { blocks.push(el('pre', {}, code.join('\n'))); code = null; } else code.push(line);
    } else if (fence) {
      paragraph();
      code = [];
    } else if (heading) {
      paragraph();
      blocks.push(el(heading[1].length < 3 ? 'h3' : 'h4', {}, inline(line.slice(heading[0].length).trim(), link)));
    } else if (item) {
      const kind = item[1] ? 'ul' : 'ol';
      if (!list || list.localName !== kind) { paragraph(); list = el(kind, {}); blocks.push(list); }
      list.append(el('li', {}, inline(line.slice(item[0].length).trim(), link)));
    } else if (!line.trim()) {
      paragraph();
    } else {
      list = null;
      lines.push(line);
    }
  }
  if (code) blocks.push(el('pre', {}, code.join('\n')));
  paragraph();
  if (text !== whole) blocks.push(empty('Only the beginning is shown; the file has all of it.'));
  return blocks;
}

// Bounded, so that a text of brackets takes no longer than any other.
const MARKS = /`([^`\n]{1,300})`|\[\[([^\]|#\n]{1,200})(?:#[^\]|\n]{0,200})?(?:\|([^\]\n]{1,200}))?\]\]|\[([^\]\n]{1,300})\]\(([^)\s]{1,1000})\)/g;

function inline(text, link) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(MARKS)) {
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [whole, code, wiki, alias, label, target] = match;
    if (code) parts.push(el('code', {}, code));
    else if (wiki) parts.push(link(alias || wiki, wiki, 'name') || whole);
    else if (/^https?:\/\//i.test(target)) parts.push(el('a', { href: target, target: '_blank', rel: 'noreferrer noopener' }, label));
    else if (/^[a-z][a-z0-9+.-]*:/i.test(target)) parts.push(whole);
    else parts.push(link(label, target, 'path') || label);
  }
  parts.push(text.slice(from));
  return parts;
}
