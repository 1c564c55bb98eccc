// What can be done with a session as a whole, and the yes or no that a tool waits for.

import { call, post, session as path } from './api.js';
import { ask } from './dialogs.js';
import { button, el } from './dom.js';
import { many, title } from './format.js';
import { code } from './markdown.js';
import { address } from './sessions.js';

// `changed` is called when it did something.
export function sessionActions(session, changed) {
  return [
    button('Rename', () => rename(session, changed), { class: 'quiet small' }),
    button('Fork', () => fork(session, changed), { class: 'quiet small' }),
    button('Delete', () => remove(session, changed), { class: 'quiet small' }),
  ];
}

async function rename(session, changed) {
  const done = await ask({
    title: 'Rename', field: 'Name', value: session.alias ?? '', ok: 'Rename',
    check: (alias) => call('PATCH', path(session.id), { alias: alias || null }),
  });
  if (done !== null) changed();
}

async function fork(session, changed) {
  let made = null;
  await ask({
    title: 'Fork', text: 'A new session that shares everything up to now and goes its own way.',
    field: 'Name of the new one (optional)', ok: 'Fork',
    check: async (alias) => { made = await post(path(session.id, '/fork'), alias ? { alias } : {}); },
  });
  if (made) {
    changed();
    location.hash = address(made.id);
  }
}

async function remove(session, changed) {
  const done = await ask({
    title: 'Delete?', danger: true, ok: 'Delete',
    text: `"${title(session)}" with ${many(session.message_count, 'message')} is removed for good.`,
    check: () => call('DELETE', path(session.id)),
  });
  if (done !== null) {
    location.hash = '#list';
    changed();
  }
}

// `decide` is given whether it may, and the note.
export function approval(waiting, decide) {
  const note = el('input', { type: 'text', placeholder: 'Why, or an answer (optional)', 'aria-label': 'Note' });
  const press = (label, approved, style) => button(label, () => decide(approved, note.value.trim()), { class: style });
  return el('section', { class: 'approval', 'aria-label': 'Approval for ' + waiting.name },
    el('h3', {}, 'May it use ', el('code', {}, waiting.name), '?'),
    waiting.reason && el('p', {}, waiting.reason),
    code(JSON.stringify(waiting.args, null, 2), 'arguments'),
    el('div', { class: 'row' }, note, press('Allow', true, 'primary'), press('Deny', false, 'danger')));
}
