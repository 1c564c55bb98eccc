// The tree of loops, drawn: one row a loop, in the order they began; one lane a branch.

import { button, el, svg } from './dom.js';
import { clock, lasting, many, money, shortened, usd } from './format.js';
import { address } from './sessions.js';

const ROW = 46;
const LANE = 22;
const LANES_MAX = 12;
const ROWS_MAX = 300;

// The loops from the root to this one.
export function pathTo(tree, id) {
  const byId = new Map(tree.loops.map((loop) => [loop.id, loop]));
  const way = [];
  for (let loop = byId.get(id); loop; loop = byId.get(loop.parent)) way.push(loop);
  return way.reverse();
}

// Loops from which nothing goes on.
export const leaves = (tree) => tree.loops.filter((loop) => loop.children.length === 0);

// The conversation keeps the first lane. A branch takes the first lane that is free from where it leaves to its end.
export function lanes(loops) {
  const lane = new Map();
  const taken = [];
  for (const loop of loops) {
    if (loop.on_path) {
      lane.set(loop.id, 0);
      continue;
    }
    const parent = lane.get(loop.parent);
    const follows = parent !== undefined && parent > 0 && taken[parent] === loop.parent;
    const own = follows ? parent : firstFree(taken);
    taken[own] = loop.children.length === 0 ? undefined : loop.id;
    lane.set(loop.id, own);
  }
  return lane;
}

function firstFree(taken) {
  for (let lane = 1; ; lane++) if (taken[lane] === undefined) return lane;
}

export function treeView(session, tree, all = false) {
  if (tree.loops.length === 0) {
    return el('p', { class: 'empty' }, 'No loops yet. Each message starts one; regenerate and undo make branches.');
  }
  const shown = all ? tree.loops : tree.loops.slice(-ROWS_MAX);
  const hidden = tree.loops.length - shown.length;
  const node = el('div', { class: 'tree-view' });
  const more = hidden > 0 && el('p', { class: 'note' }, `${many(hidden, 'older loop')} not drawn. `,
    button('Draw all', () => node.replaceWith(treeView(session, tree, true)), { class: 'quiet small' }));
  node.append(...[more,
    el('p', { class: 'faint' }, legend(tree)),
    el('div', { class: 'tree' }, drawing(session, shown), el('ol', {}, shown.map((loop) => row(session, loop))))]
    .filter(Boolean));
  return node;
}

const legend = (tree) => {
  const branches = leaves(tree).length;
  return `${many(tree.loops.length, 'loop')}, ${many(branches, 'branch', 'branches')}. Choose one to read it.`;
};

function drawing(session, loops) {
  const lane = lanes(loops);
  const rows = new Map(loops.map((loop, at) => [loop.id, at]));
  const x = (loop) => 16 + Math.min(lane.get(loop.id), LANES_MAX) * LANE;
  const y = (at) => at * ROW + ROW / 2;
  const width = 32 + Math.min(LANES_MAX, Math.max(...lane.values())) * LANE;
  const edges = [];
  const nodes = [];
  loops.forEach((loop, at) => {
    const from = rows.get(loop.parent);
    const kind = loop.on_path ? 'edge on-path' : 'edge';
    if (from !== undefined) edges.push(edge(kind, x(loops[from]), y(from), x(loop), y(at)));
    else if (loop.parent) edges.push(edge(kind, x(loop), 0, x(loop), y(at)));
    const look = `node ${loop.status}${loop.head ? ' head' : ''}`;
    nodes.push(svg('a', { href: reading(session, loop), tabindex: -1 },
      svg('circle', { class: look, cx: x(loop), cy: y(at), r: loop.head ? 7 : 5 }),
      svg('title', {}, `${loop.status}: ${shortened(loop.first_message, 80)}`)));
  });
  // The list beside it says the same in words.
  return svg('svg', { class: 'graph', width, height: loops.length * ROW, 'aria-hidden': 'true' }, edges, nodes);
}

const reading = (session, loop) => address(session.id, 'talk', loop.head ? '' : loop.id);

function edge(kind, x1, y1, x2, y2) {
  const bend = Math.min(y2, y1 + ROW);
  const way = x1 === x2 ? `M${x1} ${y1}V${y2}`
    : `M${x1} ${y1}C${x1} ${bend - ROW / 4} ${x2} ${y1 + ROW / 4} ${x2} ${bend}V${y2}`;
  return svg('path', { class: kind, d: way });
}

function row(session, loop) {
  const facts = [
    loop.continuation?.kind === 'rerun' ? 'regenerated' : loop.continuation?.kind === 'branch' ? 'branch' : '',
    loop.status === 'completed' ? '' : loop.status,
    many(loop.turns, 'turn'), many(loop.messages, 'message'),
    usd(loop.cost) > 0 ? money(usd(loop.cost)) : '', lasting(loop.started_at, loop.ended_at),
    loop.child_sessions?.length ? many(loop.child_sessions.length, 'sub-agent') : ''];
  return el('li', { class: loop.on_path ? 'on-path' : null },
    el('a', { href: reading(session, loop), class: 'loop', 'data-loop': loop.id },
      el('span', { class: 'title' }, shortened(loop.first_message, 100) || '(no words)'),
      el('span', { class: 'faint meta' },
        [loop.started_at && clock(loop.started_at), ...facts].filter(Boolean).join(' · '))),
    !loop.on_path && el('a', { class: 'faint small', href: address(session.id, 'compare', loop.id) }, 'compare'));
}
