// Everything can be done without a mouse.

import { el } from './dom.js';
import { tell } from './dialogs.js';

const KEYS = [
  ['/', 'search'], ['j, k', 'next, previous session'], ['Enter', 'open it'], ['n', 'new session'],
  ['c', 'write a message'], ['Ctrl+Enter', 'send'], ['1 … 5', 'conversation, tree, timeline, usage, compare'],
  ['Esc', 'leave a field, back to the list'], ['?', 'this list'],
];

// `current` gives the list of sessions, or null while there is none.
export function keys(current, actions) {
  document.addEventListener('keydown', (event) => {
    const list = current();
    if (!list || document.querySelector('dialog[open]')) return;
    const writing = event.target.matches?.('input, textarea, select');
    if (event.key === 'Escape') {
      event.target.blur?.();
      if (writing) list.neighbour(0)?.focus();
      return;
    }
    if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = plain(event.key, list, actions);
    if (action) {
      event.preventDefault();
      action();
    }
  });
}

function plain(key, list, actions) {
  switch (key) {
    case '/': return () => { list.search.focus(); list.search.select(); };
    case 'j': return () => list.neighbour(1)?.focus();
    case 'k': return () => list.neighbour(-1)?.focus();
    case 'n': return actions.create;
    case 'c': return () => document.getElementById('prompt')?.focus();
    case '?': return help;
    default: return /^[1-5]$/.test(key) ? () => actions.tab(Number(key) - 1) : null;
  }
}

export function help() {
  tell('Keys', el('dl', { class: 'keys' },
    KEYS.map(([key, meaning]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, meaning)])));
}
