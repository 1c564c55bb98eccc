// Questions that must be answered before anything else.

import { button, el } from './dom.js';

// Resolves with the text of the field ('' without one), or null if the person thought better of it.
export function ask({ title, text, field, value = '', ok, danger = false, check }) {
  return new Promise((resolve) => {
    const input = field && el('input', { type: 'text', name: 'answer', value, autocomplete: 'off', maxlength: 200 });
    const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
    const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' },
      el('form', { method: 'dialog', on: { submit: (event) => { event.preventDefault(); accept(); } } },
        el('h2', { id: 'dialog-title' }, title),
        text && el('p', {}, text),
        field && el('label', {}, field, input),
        problem,
        el('div', { class: 'row end' },
          button('Cancel', () => dialog.close(), { class: 'quiet' }),
          el('button', { type: 'submit', class: danger ? 'danger' : 'primary' }, ok))));
    let answer = null;
    async function accept() {
      try {
        if (check) await check(input ? input.value.trim() : '');
        answer = input ? input.value.trim() : '';
        dialog.close();
      } catch (failure) {
        problem.textContent = failure.message;
        problem.hidden = false;
      }
    }
    dialog.addEventListener('close', () => { dialog.remove(); resolve(answer); });
    document.body.append(dialog);
    dialog.showModal();
    (input ?? dialog.querySelector('button[type=submit]')).focus();
  });
}

export function tell(title, content) {
  const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' },
    el('h2', { id: 'dialog-title' }, title), content,
    el('div', { class: 'row end' }, button('Close', () => dialog.close(), { class: 'primary' })));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
