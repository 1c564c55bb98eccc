// The list of sessions: found, filtered, and kept up to date with what other programs do.

import { get } from './api.js';
import { button, debounced, el } from './dom.js';
import { ago, count, many, title } from './format.js';

const EVERY = 3000;
const PAGE = 60;
const CHOICES = [['', 'All'], ['running', 'Running'], ['waiting', 'Waiting for me'], ['aborted', 'Stopped early'],
  ['idle', 'At rest']];

export const address = (id, tab = 'talk', loop = '') =>
  '#/s/' + encodeURIComponent(id) + (tab === 'talk' && !loop ? '' : '/' + tab)
    + (loop ? '/' + encodeURIComponent(loop) : '');

export class SessionList {
  #sessions = [];
  #next = null;
  #shown = '';
  #open = null;
  #limit = PAGE;
  #ask = 0;

  constructor(nav, extras) {
    this.search = el('input', {
      type: 'search', id: 'search', placeholder: 'Search sessions  /', 'aria-label': 'Search sessions',
      autocomplete: 'off', spellcheck: 'false', on: { input: debounced(() => this.#searched(), 200) },
    });
    this.status = el('select', { 'aria-label': 'Show', on: { change: () => this.#render() } },
      CHOICES.map(([value, label]) => el('option', { value }, label)));
    this.list = el('ul', { class: 'sessions' });
    this.hits = el('div', { class: 'hits', hidden: true });
    this.problem = el('p', { class: 'problem', role: 'alert', hidden: true });
    nav.replaceChildren(
      el('div', { class: 'brand row' }, el('h1', {}, 'Skein'), extras),
      el('div', { class: 'row' }, this.search),
      el('div', { class: 'row' }, this.status,
        el('a', { class: 'button primary', href: '#/', id: 'new', title: 'New session (n)' }, 'New')),
      this.problem,
      el('div', { class: 'side-scroll' }, this.list, this.hits));
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.refresh(); });
    setInterval(() => { if (!document.hidden) this.refresh(); }, EVERY);
  }

  open(id) {
    this.#open = id;
    this.#render(true);
  }

  #searched() {
    this.#limit = PAGE;
    this.refresh();
    this.#searchMessages();
  }

  async refresh() {
    const ask = ++this.#ask;
    const text = this.search.value.trim();
    try {
      const page = await get(`/v1/sessions?limit=${this.#limit}` + (text ? '&text=' + encodeURIComponent(text) : ''));
      if (ask !== this.#ask) return;
      this.#sessions = page.sessions.filter((session) => session.id);
      this.#next = page.next_cursor;
      this.problem.hidden = true;
      this.#render();
    } catch (failure) {
      this.problem.textContent = failure.message;
      this.problem.hidden = false;
    }
  }

  #render(always = false) {
    const wanted = this.status.value;
    const shown = this.#sessions.filter((session) => !wanted || session.status === wanted);
    const key = JSON.stringify([shown, this.#open, Math.floor(Date.now() / 60_000)]);
    if (key === this.#shown && !always) return;
    this.#shown = key;
    const focused = document.activeElement?.closest?.('.sessions a')?.getAttribute('href');
    this.list.replaceChildren(...shown.map((session) => this.#item(session)));
    if (shown.length === 0) this.list.append(el('li', { class: 'empty' }, this.#nothing(wanted)));
    if (this.#next) this.list.append(el('li', {}, this.#more()));
    if (focused) this.list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #nothing(wanted) {
    if (this.search.value.trim()) return 'No session has that in its name or first message.';
    if (wanted) return 'No session is in this state.';
    return 'No sessions yet. Write the first message of one, here or with "skein" in a terminal.';
  }

  #more() {
    return button('Show more', () => { this.#limit += 200; this.refresh(); }, { class: 'quiet' });
  }

  #item(session) {
    const current = session.id === this.#open;
    return el('li', {}, el('a', {
      href: address(session.id), class: 'session', 'aria-current': current ? 'page' : null, 'data-session': session.id,
    },
    el('span', { class: 'title' }, title(session)),
    session.status !== 'idle'
      && el('span', { class: 'pill ' + session.status }, STATUS[session.status] ?? session.status),
    el('span', { class: 'faint meta' },
      [ago(session.last_activity_at), many(session.message_count, 'message'), session.agent, session.model]
        .filter(Boolean).join(' · '))));
  }

  async #searchMessages() {
    const text = this.search.value.trim();
    if (text.length < 3) {
      this.hits.hidden = true;
      return;
    }
    try {
      const { hits } = await get('/v1/search?limit=20&q=' + encodeURIComponent(text));
      if (text !== this.search.value.trim()) return;
      this.hits.hidden = hits.length === 0;
      this.hits.replaceChildren(el('h2', {}, `In ${count(hits.length)} messages`),
        el('ul', { class: 'sessions' }, hits.map(hitItem)));
    } catch {
      this.hits.hidden = true;
    }
  }

  // The link that j and k lead to.
  neighbour(step) {
    const links = [...this.list.querySelectorAll('a.session')];
    if (links.length === 0) return null;
    const at = links.indexOf(document.activeElement?.closest?.('a.session'));
    const from = at >= 0 ? at : links.findIndex((link) => link.hasAttribute('aria-current'));
    return links[Math.min(links.length - 1, Math.max(0, from + step))];
  }
}

export const STATUS = { idle: 'at rest', running: 'running', waiting: 'waiting', aborted: 'stopped early' };

const hitItem = (hit) => el('li', {}, el('a', { class: 'session', href: address(hit.session, 'talk', hit.loop) },
  el('span', { class: 'title' }, hit.alias ?? 'Untitled'),
  el('span', { class: 'faint meta' }, hit.snippet.slice(0, hit.start),
    el('mark', {}, hit.snippet.slice(hit.start, hit.end)), hit.snippet.slice(hit.end))));
