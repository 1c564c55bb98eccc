// One session: its header, its tabs, and the conversation as it grows.
//
// The journal is the truth: what it has is read, and shown. What is being said comes through the tail, is shown below
// that, and goes when the journal has it.

import { approval, sessionActions } from './actions.js';
import { get, post, send, session as path } from './api.js';
import { usageView } from './charts.js';
import { compareView } from './compare.js';
import { Composer } from './composer.js';
import { announce, button, debounced, el } from './dom.js';
import { many, money, shortened, title, usd } from './format.js';
import { Live } from './live.js';
import { Messages } from './messages.js';
import { STATUS, address } from './sessions.js';
import { Tail, events } from './stream.js';
import { TimelineView } from './timeline.js';
import { Transcript } from './transcript.js';
import { pathTo, treeView } from './tree.js';

const TABS = [['talk', 'Conversation'], ['tree', 'Tree'], ['timeline', 'Timeline'], ['usage', 'Usage'],
  ['compare', 'Compare']];
// After these the journal has something that the tail does not tell whole.
const TELLING = new Set([
  'started', 'finished', 'error', 'approval_required', 'session_autonamed', 'session_compressed']);

export class Conversation {
  #main;
  #listChanged;
  #tab = 'talk';
  #loop = null;
  #session = null;
  #tree = { loops: [], head: null };
  #approvals = [];
  #posting = false;
  #orphaned = false;
  #reading = null;
  #stale = false;
  #closed = false;
  #following = true;
  #timeline = null;
  #shown = { key: '', node: null };
  #tail;
  #messages = new Messages();
  #live = new Live(this.#messages);
  #transcript;
  #composer;
  #parts;

  constructor(id, main, { changed }) {
    this.id = id;
    this.#main = main;
    this.#listChanged = changed;
    this.#transcript = new Transcript(id, this.#messages, (failure) => this.#composer.fail(failure));
    this.#composer = new Composer({ send: (words) => this.#say(words), stop: () => this.#stop() });
    this.#parts = this.#build();
    this.refreshSoon = debounced(() => this.refresh(), 60);
    this.#tail = new Tail(path(id, '/events'), 0, {
      opened: () => this.refresh(),
      event: (event) => this.#heard(event),
      state: (state, failure) => this.#connection(state, failure),
    });
  }

  close() {
    this.#closed = true;
    this.#tail.stop();
    this.#timeline?.stop();
  }

  show(tab, loop) {
    this.#tab = tab;
    this.#loop = loop;
    this.#render();
    if (this.#session) this.refresh();
  }

  #build() {
    const parts = {
      heading: el('h2', { class: 'session-title' }, '…'),
      pill: el('span', { class: 'pill' }),
      facts: el('span', { class: 'faint facts' }),
      actions: el('div', { class: 'row actions' }),
      tabs: el('nav', { class: 'tabs', 'aria-label': 'Views' }),
      net: el('div', { class: 'net', role: 'status', hidden: true }),
      panel: el('section', { class: 'panel', tabindex: 0 }),
      end: el('div', { class: 'end-of-talk' }),
    };
    parts.talk = el('div', { class: 'talk' },
      this.#transcript.older, this.#transcript.list, this.#live.node, parts.end);
    this.#main.replaceChildren(
      el('header', { class: 'head' },
        el('div', { class: 'row' }, el('a', { class: 'button quiet back', href: '#list' }, 'Sessions'),
          parts.heading, parts.pill, parts.facts, parts.actions),
        parts.tabs, parts.net),
      parts.panel, this.#composer.node);
    parts.panel.addEventListener('scroll', () => {
      if (this.#tab === 'talk') this.#following = this.#atEnd;
    });
    new ResizeObserver(() => { if (this.#following) this.#toEnd(); }).observe(parts.talk);
    this.#transcript.watch(parts.panel);
    return parts;
  }

  // ---- reading

  // Reads what the journal has. Asked for while it reads, it reads once more.
  refresh() {
    this.#stale = true;
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  async #readAll() {
    while (this.#stale && !this.#closed) {
      this.#stale = false;
      try {
        await this.#read();
      } catch (failure) {
        if (!this.#closed) this.#composer.fail(failure);
      }
    }
    this.#reading = null;
  }

  async #read() {
    const loop = this.#loop;
    const [session, tree, waiting] = await Promise.all([
      get(path(this.id)), get(path(this.id, '/tree')), get(path(this.id, '/approvals'))]);
    const read = await this.#transcript.read(pathTo(tree, loop ?? tree.head), loop);
    if (this.#closed || loop !== this.#loop) {
      this.#stale = true;
      return;
    }
    this.#session = session;
    this.#tree = tree;
    this.#approvals = waiting.approvals;
    this.#transcript.show(read);
    if (this.#isRunning) this.#live.drop(read.fresh);
    else this.#live.clear();
    this.#render();
    this.#sayFirst();
  }

  // ---- showing

  #render() {
    if (this.#session) this.#renderHead();
    this.#parts.tabs.replaceChildren(...TABS.map(([tab, label]) => el('a', {
      href: address(this.id, tab), 'aria-current': tab === this.#tab ? 'page' : null, class: 'tab',
    }, label)));
    this.#parts.panel.setAttribute('aria-label', TABS.find(([tab]) => tab === this.#tab)[1]);
    if (this.#tab !== 'timeline') {
      this.#timeline?.stop();
      this.#timeline = null;
    }
    const elsewhere = this.#loop !== null && this.#loop !== this.#tree.head;
    this.#composer.show(this.#tab === 'talk' && !elsewhere);
    this.#composer.running(this.#isRunning);
    if (this.#tab === 'talk') this.#renderTalk(elsewhere);
    else if (this.#session) this.#renderOther();
  }

  #renderHead() {
    const session = this.#session;
    document.title = title(session) + ' · Skein';
    this.#parts.heading.textContent = title(session);
    this.#parts.pill.textContent = STATUS[session.status] ?? session.status;
    this.#parts.pill.className = 'pill ' + session.status;
    this.#parts.facts.textContent = [session.model, many(session.message_count, 'message'),
      usd(session.cost) > 0 ? money(usd(session.cost)) : ''].filter(Boolean).join(' · ');
    const changed = () => { this.refresh(); this.#listChanged(); };
    if (!this.#parts.actions.contains(document.activeElement)) {
      this.#parts.actions.replaceChildren(...sessionActions(session, changed));
    }
  }

  #renderTalk(elsewhere) {
    this.#live.node.hidden = elsewhere;
    for (const waiting of this.#approvals) this.#messages.known(waiting.call)?.waits();
    const key = JSON.stringify([this.#approvals, this.#transcript.last, this.#isRunning, elsewhere, this.#live.isEmpty,
      this.#session === null]);
    if (this.#parts.end.dataset.key !== key) {
      this.#parts.end.dataset.key = key;
      this.#parts.end.replaceChildren(...this.#endOfTalk(elsewhere));
    }
    if (this.#parts.panel.firstChild !== this.#parts.talk) {
      this.#parts.panel.replaceChildren(this.#parts.talk);
      this.#follow();
    }
  }

  #endOfTalk(elsewhere) {
    if (!this.#session) return [el('p', { class: 'faint' }, 'Reading…')];
    if (elsewhere) {
      return [el('p', { class: 'note' }, 'This is not where the conversation goes on. ',
        el('a', { href: address(this.id) }, 'Back to the conversation'), ' · ',
        el('a', { href: address(this.id, 'compare', this.#loop) }, 'Compare with it'))];
    }
    const last = this.#transcript.last;
    if (!last && this.#live.isEmpty) {
      return [el('p', { class: 'empty' }, 'Nothing was said yet. Write a message below; Ctrl+Enter sends it.')];
    }
    const parts = this.#approvals.map((waiting) =>
      approval(waiting, (approved, note) => this.#decide(waiting.call, approved, note)));
    if (last?.status === 'aborted') {
      parts.push(el('p', { class: 'note warning' }, 'This ended early; what was finished is kept.'));
    }
    if (last?.status === 'rejected') {
      parts.push(el('p', { class: 'note warning' }, 'This was refused: ' + (last.rejection ?? 'no reason was given')));
    }
    if (last && !this.#isRunning) parts.push(this.#runActions(last));
    return parts;
  }

  #runActions(last) {
    const waiting = this.#approvals.length > 0;
    return el('div', { class: 'row run-actions' },
      !waiting && ['aborted', 'running'].includes(last.status)
        && button('Continue', () => this.#run('/continue'), { class: 'primary small' }),
      !waiting && button('Regenerate', () => this.#run('/regenerate'), { class: 'quiet small' }),
      button('Undo', () => this.#do(() => post(path(this.id, '/undo'))), { class: 'quiet small' }));
  }

  #renderOther() {
    if (this.#tab === 'timeline') {
      this.#timeline ??= new TimelineView(this.id);
      this.#timeline.update(this.#tree);
      this.#turnTo(this.#timeline.node, 0);
      return;
    }
    const key = this.#tab + JSON.stringify([this.#tree, this.#loop]);
    if (key === this.#shown.key && this.#parts.panel.firstChild === this.#shown.node) return;
    const view = {
      tree: () => treeView(this.#session, this.#tree),
      usage: () => usageView(this.#session, this.#tree),
      compare: () => compareView(this.id, this.#tree, this.#loop),
    }[this.#tab];
    this.#shown = { key, node: view() };
    this.#turnTo(this.#shown.node, this.#tab === 'tree' ? Number.MAX_SAFE_INTEGER : 0);
  }

  // Shows a view, from where one begins to read it, unless it is the same one brought up to date.
  #turnTo(node, scroll) {
    const before = this.#parts.panel.firstChild;
    if (before === node) return;
    this.#parts.panel.replaceChildren(node);
    if (before?.className !== node.className) this.#parts.panel.scrollTop = scroll;
  }

  // Another program may run it: then the session says so. If that program died, the session says so too.
  get #isRunning() {
    return this.#posting || (this.#session?.status === 'running' && !this.#orphaned);
  }

  // Whoever reads the newest words keeps seeing the newest; whoever scrolled up is left in peace.
  get #atEnd() {
    const panel = this.#parts.panel;
    return panel.scrollHeight - panel.scrollTop - panel.clientHeight < 80;
  }

  #toEnd() {
    if (this.#tab === 'talk') this.#parts.panel.scrollTop = this.#parts.panel.scrollHeight;
  }

  #follow() {
    this.#following = true;
    this.#toEnd();
  }

  // ---- hearing

  #connection(state, failure) {
    this.#parts.net.hidden = state === 'live';
    this.#parts.net.textContent = state === 'ended'
      ? failure.message + (failure.status === 404 ? ' Choose another session.' : '')
      : 'Reconnecting… what happens meanwhile will be shown.';
    this.#main.dataset.connection = state;
  }

  #heard(event) {
    this.#live.take(event);
    this.#orphaned = false;
    if (event.event === 'started') announce('The assistant is working.');
    if (event.event === 'approval_required') announce(`The tool ${event.data.name} needs your yes.`);
    if (event.event === 'finished') announce('Answer: ' + shortened(event.data.final_message, 300));
    if (event.event === 'error') this.#composer.fail(event.data);
    if (TELLING.has(event.event)) {
      this.refreshSoon();
      this.#listChanged();
    }
  }

  // ---- doing

  // What was written where the session was made.
  #sayFirst() {
    const key = 'skein.first.' + this.id;
    const words = sessionStorage.getItem(key);
    if (words === null) return;
    sessionStorage.removeItem(key);
    this.#say(words);
  }

  async #say(words) {
    this.#live.said(words);
    if (!await this.#run('/completions', { prompt: words })) this.#composer.giveBack(words);
  }

  // Lets the agent run; returns whether it began. Its words come through the tail, here only what goes wrong.
  async #run(what, body = {}) {
    this.#composer.clear();
    this.#posting = true;
    this.#render();
    this.#follow();
    let begun = false;
    try {
      const response = await send('POST', path(this.id, what), {
        body: { ...body, stream: true, on_disconnect: 'continue' },
        headers: { Accept: 'text/event-stream' },
      });
      for await (const event of events(response)) {
        begun = true;
        if (event.event === 'error' && event.data.code !== 'stream.too_slow') this.#composer.fail(event.data);
      }
    } catch (failure) {
      if (!begun && !this.#closed) this.#composer.fail(failure);
    } finally {
      this.#posting = false;
      this.refreshSoon();
      this.#listChanged();
    }
    return begun;
  }

  #stop() {
    return this.#do(async () => {
      const { cancelled } = await post(path(this.id, '/cancel'));
      if (cancelled === 0) {
        this.#orphaned = true;
        throw new Error('Nothing of this session runs in this server. If a terminal runs it, stop it there; if that'
          + ' is gone, "Continue" takes up what is left.');
      }
    });
  }

  // Whoever gave the last answer lets the run go on.
  async #decide(call, approved, note) {
    let left = 1;
    await this.#do(async () => {
      const where = path(this.id, '/approvals/' + encodeURIComponent(call));
      left = (await post(where, { approved, note: note || undefined })).waiting;
    });
    if (left === 0) await this.#run('/continue');
  }

  async #do(task) {
    this.#composer.clear();
    try {
      await task();
    } catch (failure) {
      this.#composer.fail(failure);
    }
    await this.refresh();
    this.#listChanged();
  }
}
