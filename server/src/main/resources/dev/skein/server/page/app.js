// Begin here: who is looking, which session is open, and what of it is shown.

import { forgetToken, get, hasToken, keepToken, post, takeToken } from './api.js';
import { Conversation } from './conversation.js';
import { button, el } from './dom.js';
import { help, keys } from './keys.js';
import { SessionList, address } from './sessions.js';

const TABS = ['talk', 'tree', 'timeline', 'usage', 'compare'];
const THEMES = ['auto', 'light', 'dark'];

const main = document.getElementById('main');
const side = document.getElementById('side');
let list = null;
let conversation = null;

function theme(change) {
  let chosen = localStorage.getItem('skein.theme') ?? 'auto';
  if (change) {
    chosen = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length];
    localStorage.setItem('skein.theme', chosen);
  }
  document.documentElement.dataset.theme = chosen;
  return chosen;
}

function extras() {
  const press = button(theme(false), () => { press.textContent = theme(true); },
    { class: 'quiet small', title: 'Colours: as the system, light, dark', id: 'theme' });
  return el('span', { class: 'row end grow' }, press,
    button('?', help, { class: 'quiet small', 'aria-label': 'Keys' }));
}

function route() {
  const [, kind, id, tab, loop] = location.hash.split('/').map(decodeURIComponent);
  if (kind === 's' && id) return { id, tab: TABS.includes(tab) ? tab : 'talk', loop: loop || null };
  return { id: null };
}

function show() {
  const { id, tab, loop } = route();
  document.body.dataset.view = id || location.hash === '#/' ? 'session' : 'list';
  list.open(id);
  if (!id) {
    conversation?.close();
    conversation = null;
    welcome();
  } else if (conversation?.id === id) {
    conversation.show(tab, loop);
  } else {
    conversation?.close();
    conversation = new Conversation(id, main, { changed: () => list.refresh() });
    conversation.show(tab, loop);
  }
}

function welcome() {
  document.title = 'Skein';
  const field = (id, props) => el('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false', ...props });
  const name = field('new-name', { maxlength: 60, placeholder: 'optional' });
  const model = field('new-model', { maxlength: 200 });
  const prompt = el('textarea', {
    id: 'prompt', rows: 4, placeholder: 'What shall it do?', 'aria-label': 'First message',
  });
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const start = el('button', { type: 'submit', class: 'primary', title: 'Ctrl+Enter' }, 'Start');
  const begin = async (event) => {
    event.preventDefault();
    start.disabled = true;
    try {
      const wanted = { alias: name.value.trim() || undefined, model: model.value.trim() || undefined };
      const made = await post('/v1/sessions', wanted);
      if (prompt.value.trim()) sessionStorage.setItem('skein.first.' + made.id, prompt.value);
      list.refresh();
      location.hash = address(made.id);
    } catch (failure) {
      problem.textContent = failure.message;
      problem.hidden = false;
      start.disabled = false;
    }
  };
  const form = el('form', { class: 'welcome', on: { submit: begin } },
    el('a', { class: 'button quiet back', href: '#list' }, 'Sessions'),
    el('h2', {}, 'A new session'),
    el('p', { class: 'faint' }, 'It is kept from the first word on: close this page, and go on here or in a terminal.'),
    prompt,
    el('div', { class: 'fields' }, el('label', {}, 'Name', name), el('label', {}, 'Model', model)),
    problem,
    el('div', { class: 'row end' }, el('span', { class: 'faint hint' }, el('kbd', {}, 'Ctrl+Enter')), start));
  prompt.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  main.replaceChildren(form);
  get('/v1/info').then((info) => { model.placeholder = info.model; }, () => {});
}

function askForKey(reason) {
  conversation?.close();
  conversation = null;
  document.body.dataset.view = 'session';
  side.replaceChildren();
  list = null;
  const key = el('input', { type: 'password', id: 'key', autocomplete: 'off', required: true });
  main.replaceChildren(el('form', { class: 'welcome', on: { submit: (event) => {
    event.preventDefault();
    keepToken(key.value.trim());
    start();
  } } },
  el('h2', {}, 'A key, please'),
  el('p', {}, 'This server answers only those it knows. Open the address that ', el('code', {}, 'skein serve'),
    ' printed, or paste a key: the local one is in the file that it named.'),
  reason && el('p', { class: 'problem', role: 'alert' }, reason),
  el('label', {}, 'Key', key),
  el('div', { class: 'row end' }, el('button', { type: 'submit', class: 'primary' }, 'Open'))));
  key.focus();
}

async function start() {
  if (!hasToken()) {
    askForKey('');
    return;
  }
  try {
    await get('/v1/info');
  } catch (failure) {
    if (failure.status === 401) return;
    main.replaceChildren(el('div', { class: 'welcome' }, el('p', { class: 'problem', role: 'alert' }, failure.message),
      button('Try again', start, { class: 'primary' })));
    return;
  }
  list = new SessionList(side, extras());
  list.refresh();
  show();
}

theme(false);
window.addEventListener('hashchange', () => {
  if (takeToken()) location.reload();
  else if (list) show();
});
window.addEventListener('skein:unauthorized', () => {
  forgetToken();
  askForKey('The server does not know that key. It may have been revoked, or the server started with another one.');
});
keys(() => list, {
  create: () => {
    history.pushState(null, '', '#/');
    show();
    document.getElementById('prompt')?.focus();
  },
  tab: (index) => { if (conversation) location.hash = address(conversation.id, TABS[index]); },
});
takeToken();
start();
