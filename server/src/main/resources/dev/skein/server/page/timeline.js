// What happened, event by event: the newest of the history, then whatever comes.

import { session as path } from './api.js';
import { el } from './dom.js';
import { clock, lasting, shortened } from './format.js';
import { Tail } from './stream.js';

const NEWEST = 300;
const ROWS_MAX = 1000;
const HISTORY_QUIET = 400;

export class TimelineView {
  #tail;
  #rows = el('ol', { class: 'events' });
  #loops = new Map();
  #last = null;
  #live = false;
  #quiet = 0;

  constructor(id) {
    this.#rows.append(el('li', { class: 'empty' }, 'No events yet. They appear here while an agent runs.'));
    this.node = el('div', { class: 'timeline' },
      el('p', { class: 'faint' }, 'The newest events of the journal; new ones appear at the top.'), this.#rows);
    this.#tail = new Tail(path(id, '/events'), NEWEST, {
      opened: () => { this.#settle(); },
      event: (event) => this.#add(event),
      state: () => {},
    });
  }

  stop() {
    this.#tail.stop();
    clearTimeout(this.#quiet);
  }

  update(tree) {
    this.#loops = new Map(tree.loops.map((loop) => [loop.id, loop]));
  }

  // History comes at once; what comes after a pause happens now, and gets the time of day.
  #settle() {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => { this.#live = true; }, HISTORY_QUIET);
  }

  #add(event) {
    if (!this.#live) this.#settle();
    const { name, count } = grouped(event, this.#last);
    if (count > 1) {
      this.#last.count = count;
      this.#last.text += event.data.text ?? '';
      this.#last.words.textContent = `${count} pieces: ${shortened(this.#last.text, 140)}`;
      return;
    }
    this.#rows.querySelector('.empty')?.remove();
    const words = el('span', { class: 'words' }, about(event));
    const row = el('li', { class: 'event ' + event.event },
      el('span', { class: 'id' }, event.id ?? ''),
      el('span', { class: 'kind' }, name),
      words,
      el('span', { class: 'faint when' }, this.#when(event)));
    this.#last = { event, words, count: 1, text: event.data.text ?? '' };
    this.#rows.prepend(row);
    while (this.#rows.childElementCount > ROWS_MAX) this.#rows.lastChild.remove();
  }

  #when(event) {
    const loop = this.#loops.get(event.data.loop_id);
    if (event.event === 'started' && loop?.started_at) return clock(loop.started_at);
    if (event.event === 'finished' && loop?.ended_at) {
      return clock(loop.ended_at) + ' · ' + lasting(loop.started_at, loop.ended_at);
    }
    return this.#live ? clock(new Date()) : '';
  }
}

// Words in pieces are one row.
function grouped(event, last) {
  const same = last && event.event.endsWith('_delta') && last.event.event === event.event
    && last.event.data.loop_id === event.data.loop_id;
  return { name: event.event.replaceAll('_', ' '), count: same ? last.count + 1 : 1 };
}

function about(event) {
  const data = event.data;
  switch (event.event) {
    case 'tool_call': case 'approval_required': return `${data.name} ${shortened(JSON.stringify(data.args), 120)}`;
    case 'tool_result': return `${data.name}${data.is_error ? ' failed' : ''}: ${shortened(data.result, 120)}`;
    case 'finished': return `${data.status}: ${shortened(data.final_message, 120)}`;
    case 'error': return `${data.code}: ${data.message}`;
    case 'session_autonamed': return data.alias;
    default: return shortened(data.text, 140);
  }
}
