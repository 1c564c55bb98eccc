// Markdown as nodes, for text that nobody vouches for. What is not understood stays the text it is; links lead only to
// http and https; pictures are never loaded, since asking for one tells its server what the address says.

import { button, copy, el } from './dom.js';

const DEPTH_MAX = 6;
const INLINE_MAX = 20_000;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function markdown(text) {
  return blocks(text.split(/\r\n|\r|\n/), 0);
}

function blocks(lines, depth) {
  const nodes = document.createDocumentFragment();
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    if (line.trim() === '') {
      at++;
    } else if (FENCE.test(line)) {
      at = fenced(lines, at, nodes);
    } else if (HEADING.test(line)) {
      const [, marks, words] = HEADING.exec(line);
      nodes.append(el('h' + Math.min(6, marks.length + 2), {}, inline(words)));
      at++;
    } else if (RULE.test(line)) {
      nodes.append(el('hr'));
      at++;
    } else if (depth < DEPTH_MAX && line.startsWith('>')) {
      at = quoted(lines, at, nodes, depth);
    } else if (depth < DEPTH_MAX && ITEM.test(line)) {
      at = list(lines, at, nodes, depth);
    } else if (line.includes('|') && TABLE_RULE.test(lines[at + 1] ?? '') && lines[at + 1].includes('-')) {
      at = table(lines, at, nodes);
    } else {
      at = paragraph(lines, at, nodes);
    }
  }
  return nodes;
}

function fenced(lines, start, nodes) {
  const [, fence, language] = FENCE.exec(lines[start]);
  let end = start + 1;
  while (end < lines.length && !closes(lines[end], fence)) end++;
  nodes.append(code(lines.slice(start + 1, end).join('\n'), language));
  return end + 1;
}

const closes = (line, fence) => {
  const trimmed = line.trim();
  return trimmed.length >= fence.length && trimmed === fence[0].repeat(trimmed.length);
};

export function code(text, language = '') {
  const press = button('Copy', () => copy(text, press), { class: 'copy quiet small' });
  return el('figure', { class: 'code' },
    el('figcaption', {}, el('span', {}, language || 'text'), press),
    el('pre', { tabindex: 0, 'aria-label': 'Code' }, el('code', {}, text)));
}

function quoted(lines, start, nodes, depth) {
  let end = start;
  while (end < lines.length && lines[end].startsWith('>')) end++;
  const inner = lines.slice(start, end).map((line) => line.replace(/^> ?/, ''));
  nodes.append(el('blockquote', {}, blocks(inner, depth + 1)));
  return end;
}

// An item holds the lines behind it that are indented further, and blank ones between those.
function list(lines, start, nodes, depth) {
  const first = ITEM.exec(lines[start]);
  const indent = first[1].length;
  const ordered = /\d/.test(first[2]);
  const holder = el(ordered ? 'ol' : 'ul', ordered ? { start: parseInt(first[2], 10) } : {});
  let at = start;
  while (at < lines.length) {
    const item = ITEM.exec(lines[at]);
    if (!item || item[1].length > indent + 1 || item[1].length < indent || /\d/.test(item[2]) !== ordered) break;
    const inner = [item[3]];
    at++;
    while (at < lines.length && belongs(lines, at, indent)) inner.push(lines[at++].replace(/^\s{1,4}/, ''));
    holder.append(el('li', {}, unwrapped(blocks(inner, depth + 1))));
    while (at + 1 < lines.length && lines[at].trim() === '' && ITEM.test(lines[at + 1])) at++;
  }
  nodes.append(holder);
  return at;
}

function belongs(lines, at, indent) {
  if (lines[at].trim() === '') return /^\s/.test(lines[at + 1] ?? '') && (lines[at + 1] ?? '').trim() !== '';
  return lines[at].length - lines[at].trimStart().length > indent;
}

// A single paragraph in an item needs no space around it.
function unwrapped(nodes) {
  const first = nodes.firstChild;
  if (first?.nodeName === 'P') first.replaceWith(...first.childNodes);
  return nodes;
}

function table(lines, start, nodes) {
  let end = start + 2;
  while (end < lines.length && lines[end].includes('|') && lines[end].trim() !== '') end++;
  const head = cells(lines[start]);
  const row = (line) => el('tr', {}, cells(line).slice(0, head.length).map((cell) => el('td', {}, inline(cell))));
  nodes.append(el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table' },
    el('table', {},
      el('thead', {}, el('tr', {}, head.map((cell) => el('th', { scope: 'col' }, inline(cell))))),
      el('tbody', {}, lines.slice(start + 2, end).map(row)))));
  return end;
}

const cells = (line) => line.trim().replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim());

function paragraph(lines, start, nodes) {
  let end = start + 1;
  while (end < lines.length && lines[end].trim() !== '' && !FENCE.test(lines[end]) && !HEADING.test(lines[end])
      && !lines[end].startsWith('>') && !ITEM.test(lines[end])) end++;
  nodes.append(el('p', {}, inline(lines.slice(start, end).join('\n'))));
  return end;
}

// Bounded on purpose: a model can write a megabyte of brackets.
const TOKEN = new RegExp([
  '(?<tick>`{1,3})(?<code>[^`]{1,2000})\\k<tick>',
  '!\\[(?<alt>[^\\[\\]\\n]{0,300})\\]\\((?<image>[^()\\s]{1,2000})(?:\\s[^()\\n]{0,200})?\\)',
  '\\[(?<words>[^\\[\\]\\n]{1,300})\\]\\((?<href>[^()\\s]{1,2000})(?:\\s[^()\\n]{0,200})?\\)',
  '(?<bare>https?:\\/\\/[^\\s<>"\'`]{1,2000}[^\\s<>"\'`.,;:!?)\\]])',
  '\\*\\*(?<strong>[^*\\n]{1,1000})\\*\\*',
  '(?<![\\w*])\\*(?<em>[^*\\s][^*\\n]{0,1000})\\*(?!\\w)',
  '(?<!\\w)_(?<under>[^_\\s][^_\\n]{0,1000})_(?!\\w)',
  '~~(?<gone>[^~\\n]{1,1000})~~',
].join('|'), 'g');

function inline(text, depth = 0) {
  if (text.length > INLINE_MAX || depth > DEPTH_MAX) return [text];
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    nodes.push(text.slice(at, match.index), token(match, depth));
    at = match.index + match[0].length;
  }
  nodes.push(text.slice(at));
  return nodes;
}

function token(match, depth) {
  const found = match.groups;
  if (found.code !== undefined) return el('code', {}, found.code);
  if (found.image !== undefined) return link(found.image, ['picture: ' + (found.alt || found.image)], match[0]);
  if (found.href !== undefined) return link(found.href, inline(found.words, depth + 1), match[0]);
  if (found.bare !== undefined) return link(found.bare, [found.bare], match[0]);
  if (found.strong !== undefined) return el('strong', {}, inline(found.strong, depth + 1));
  if (found.gone !== undefined) return el('del', {}, inline(found.gone, depth + 1));
  return el('em', {}, inline(found.em ?? found.under, depth + 1));
}

// Everything that is not plainly the web stays text: javascript:, data:, file:, relative addresses.
function link(address, words, otherwise) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return otherwise;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return otherwise;
  return el('a', { href: url.href, rel: 'noopener noreferrer nofollow', target: '_blank', title: url.href }, words);
}

// Text that grows. What is finished is not built again, so a long answer does not get slower.
export class GrowingMarkdown {
  text = '';
  #done = 0;
  #tail = [];
  #waiting = false;

  constructor() {
    this.node = el('div', { class: 'markdown growing' });
  }

  add(words) {
    this.text += words;
    if (this.#waiting) return;
    this.#waiting = true;
    setTimeout(() => {
      this.#waiting = false;
      this.#show();
    }, 50);
  }

  #show() {
    this.#tail.forEach((node) => node.remove());
    const settled = this.#settled();
    if (settled > this.#done) {
      this.node.append(markdown(this.text.slice(this.#done, settled)));
      this.#done = settled;
    }
    const rest = markdown(this.text.slice(this.#done));
    this.#tail = [...rest.childNodes];
    this.node.append(rest);
  }

  // Where the last blank line is that stands between blocks: not in code, and not in front of more of a list.
  #settled() {
    let open = null;
    let settled = this.#done;
    let at = this.#done;
    let blank = false;
    for (const line of this.text.slice(this.#done).split('\n')) {
      const fence = FENCE.exec(line);
      if (open && closes(line, open)) open = null;
      else if (!open && fence) open = fence[1];
      if (blank && /^[^\s\d*+-]/.test(line) && (!open || fence)) settled = at;
      blank = !open && line.trim() === '';
      at += line.length + 1;
    }
    return settled;
  }
}
