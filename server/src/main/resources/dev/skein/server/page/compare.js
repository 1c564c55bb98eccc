// Two branches side by side, from where they part.

import { get, session as path } from './api.js';
import { el } from './dom.js';
import { compact, lasting, many, money, shortened, usd } from './format.js';
import { Messages } from './messages.js';
import { leaves, pathTo } from './tree.js';

const MESSAGES_MAX = 200;

export function compareView(id, tree, chosen) {
  const ends = leaves(tree).filter((loop) => loop.messages > 0);
  if (ends.length < 2) {
    return el('p', { class: 'empty' },
      'There is one branch only. Regenerate an answer, or undo and ask something else: then there are two to compare.');
  }
  const head = tree.head;
  const other = chosen && chosen !== head ? chosen : ends.findLast((loop) => loop.id !== head)?.id;
  const choices = tree.loops.filter((loop) => ends.includes(loop) || loop.id === other || loop.id === head);
  const left = chooser('Left', choices, head ?? ends[0].id, () => fill());
  const right = chooser('Right', choices, other, () => fill());
  const common = el('p', { class: 'faint' });
  const columns = el('div', { class: 'columns' });
  async function fill() {
    const ways = [left.value, right.value].map((loop) => pathTo(tree, loop));
    const shared = sharedPart(ways);
    common.textContent = shared.loops === 0 ? 'They have nothing in common.'
      : `They share ${many(shared.messages, 'message')} and part after that.`;
    columns.replaceChildren(...await Promise.all(ways.map((way) => side(id, way, shared))));
  }
  fill();
  return el('div', { class: 'compare' }, el('div', { class: 'row wrap' }, label('Left', left), label('Right', right)),
    common, columns);
}

const label = (name, node) => el('label', { class: 'grow' }, name, node);

function chooser(name, choices, value, changed) {
  const select = el('select', { on: { change: changed } }, choices.map((loop) =>
    el('option', { value: loop.id, selected: loop.id === value },
      (loop.head ? 'conversation: ' : '') + (shortened(loop.first_message, 60) || loop.id))));
  return select;
}

function sharedPart([one, two]) {
  let loops = 0;
  let messages = 0;
  while (loops < one.length && loops < two.length && one[loops].id === two[loops].id) {
    messages += one[loops].messages;
    loops++;
  }
  return { loops, messages };
}

async function side(id, way, shared) {
  const own = way.slice(shared.loops);
  const sum = (of) => own.reduce((total, loop) => total + Number(of(loop) ?? 0), 0);
  const facts = [
    many(own.length, 'loop'), own.at(-1)?.status, `${compact(sum((loop) => loop.usage.output_tokens))} tokens out`,
    money(sum((loop) => usd(loop.cost))), lasting(own[0]?.started_at, own.at(-1)?.ended_at),
  ].filter(Boolean).join(' · ');
  const column = el('section', { class: 'column-side' }, el('p', { class: 'faint' }, facts));
  if (own.length === 0) {
    column.append(el('p', { class: 'empty' }, 'Nothing beyond what both share.'));
    return column;
  }
  try {
    const loop = encodeURIComponent(way.at(-1).id);
    const page = await get(path(id, `/messages?loop=${loop}&cursor=${shared.messages}&limit=${MESSAGES_MAX}`));
    const messages = new Messages();
    column.append(el('ol', { class: 'messages' }, page.messages.map((message) => messages.node(message))));
    if (page.next_cursor) {
      column.append(el('p', { class: 'note' }, 'The rest is not shown here; open the branch in the tree.'));
    }
  } catch (failure) {
    column.append(el('p', { class: 'problem', role: 'alert' }, failure.message));
  }
  return column;
}
