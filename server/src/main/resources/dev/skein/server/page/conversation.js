// One session: its header, its tabs, and the conversation as it grows.

import { call, get, post, send, session as path } from './api.js';
import { usageView } from './charts.js';
import { compareView } from './compare.js';
import { ask } from './dialogs.js';
import { announce, button, debounced, el } from './dom.js';
import { many, money, shortened, title, usd } from './format.js';
import { Live } from './live.js';
import { code } from './markdown.js';
import { Messages } from './messages.js';
import { STATUS, address } from './sessions.js';
import { Tail, events } from './stream.js';
import { TimelineView } from './timeline.js';
import { pathTo, treeView } from './tree.js';

const FIRST = 60;
const MORE = 200;
const AT_ONCE = 1000;
const TABS = [['talk', 'Conversation'], ['tree', 'Tree'], ['timeline', 'Timeline'], ['usage', 'Usage'],
  ['compare', 'Compare']];
const LISTENED = new Set(['started', 'finished', 'error', 'approval_required', 'session_autonamed', 'session_compressed']);

export class Conversation {
  #main;
  #owner;
  #tab = 'talk';
  #loop = null;
  #session = null;
  #tree = { loops: [], head: null };
  #path = [];
  #from = 0;
  #to = 0;
  #posting = false;
  #reading = null;
  #stale = false;
  #closed = false;
  #tail;
  #timeline = null;
  #messages = new Messages();
  #live = new Live(this.#messages);

  constructor(id, main, owner) {
    this.id = id;
    this.#main = main;
    this.#owner = owner;
    this.#build();
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
    const moved = loop !== this.#loop;
    this.#tab = tab;
    this.#loop = loop;
    if (moved) this.#forget();
    this.#render();
    if (this.#session) this.refresh();
  }

  #build() {
    this.#heading = el('h2', { class: 'session-title' }, '…');
    this.#pill = el('span', { class: 'pill' });
    this.#facts = el('span', { class: 'faint facts' });
    this.#net = el('div', { class: 'net', role: 'status', hidden: true });
    this.#tabs = el('div', { class: 'tabs' });
    this.#panel = el('section', { class: 'panel', tabindex: -1 });
    this.#older = button('Show older messages', () => this.#loadOlder(), { class: 'quiet', hidden: true });
    this.#list = el('ol', { class: 'messages' });
    this.#end = el('div', { class: 'end-of-talk' });
    this.#problem = el('div', { class: 'problem', role: 'alert', hidden: true });
    this.#talk = el('div', { class: 'talk' }, this.#older, this.#list, this.#live.node, this.#end);
    this.#composer = this.#buildComposer();
    this.#actions = el('div', { class: 'row actions' });
    this.#main.replaceChildren(
      el('header', { class: 'head' },
        el('div', { class: 'row' }, el('a', { class: 'button quiet back', href: '#list' }, 'Sessions'),
          this.#heading, this.#pill, this.#facts, this.#actions),
        this.#tabs, this.#net),
      this.#panel, this.#composer);
    new IntersectionObserver((seen) => {
      if (seen.some((entry) => entry.isIntersecting) && this.#from > 0) this.#loadOlder();
    }, { root: this.#panel, rootMargin: '400px 0px 0px 0px' }).observe(this.#older);
  }

  #heading; #pill; #facts; #net; #tabs; #panel; #older; #list; #end; #problem; #talk; #composer; #actions; #prompt;
  #sendButton; #stopButton;

  #buildComposer() {
    this.#prompt = el('textarea', {
      id: 'prompt', rows: 2, placeholder: 'Write a message', 'aria-label': 'Message',
      on: {
        keydown: (event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.#submit(); }
        },
        input: () => { this.#prompt.rows = Math.min(12, Math.max(2, this.#prompt.value.split('\n').length)); },
      },
    });
    this.#sendButton = el('button', { type: 'submit', class: 'primary', title: 'Ctrl+Enter' }, 'Send');
    this.#stopButton = button('Stop', () => this.#stop(), { class: 'danger', hidden: true });
    return el('form', { class: 'composer', on: { submit: (event) => { event.preventDefault(); this.#submit(); } } },
      this.#problem,
      el('div', { class: 'row' }, this.#prompt, el('div', { class: 'column' }, this.#sendButton, this.#stopButton)));
  }

  // ---- reading

  // Reads what the journal has. Asked for while it reads, it reads once more.
  async refresh() {
    this.#stale = true;
    if (this.#reading) return this.#reading;
    this.#reading = (async () => {
      while (this.#stale && !this.#closed) {
        this.#stale = false;
        try {
          await this.#read();
        } catch (failure) {
          if (!this.#closed) this.#fail(failure);
        }
      }
    })();
    await this.#reading;
    this.#reading = null;
  }

  async #read() {
    const loop = this.#loop;
    const [session, tree, waiting] = await Promise.all([
      get(path(this.id)), get(path(this.id, '/tree')), get(path(this.id, '/approvals'))]);
    const way = pathTo(tree, loop ?? tree.head);
    const kept = this.#kept(way);
    const total = way.reduce((sum, item) => sum + item.messages, 0);
    let from = this.#to > this.#from ? kept : total;
    if (from >= total || total - from > AT_ONCE) from = kept === total && this.#to > 0 ? total : Math.max(0, total - FIRST);
    const fresh = from < total ? await this.#fetch(from, total - from, loop) : [];
    if (this.#closed || loop !== this.#loop) return;
    this.#session = session;
    this.#tree = tree;
    this.#path = way;
    this.#apply(kept, from, fresh);
    this.#settleLive(fresh);
    this.#approvals = waiting.approvals;
    this.#render();
    this.#sendFirst();
  }

  #approvals = [];

  #fetch(from, limit, loop) {
    const query = `?cursor=${from}&limit=${Math.min(limit, AT_ONCE)}` + (loop ? '&loop=' + encodeURIComponent(loop) : '');
    return get(path(this.id, '/messages' + query)).then((page) => page.messages);
  }

  // How many of the messages that are shown are still those of this path.
  #kept(way) {
    let kept = 0;
    for (let at = 0; at < way.length && at < this.#path.length; at++) {
      if (way[at].id !== this.#path[at].id) break;
      kept += Math.min(way[at].messages, this.#path[at].messages);
      if (way[at].messages !== this.#path[at].messages) break;
    }
    return Math.min(kept, this.#to);
  }

  #apply(kept, from, fresh) {
    const pinned = this.#pinned();
    if (this.#to === 0 || kept < this.#from || from > this.#to) {
      this.#forget();
      this.#from = from;
      this.#to = from;
    }
    while (this.#to > kept && this.#to > this.#from) {
      this.#list.querySelector(`[data-index="${--this.#to}"]`)?.remove();
    }
    this.#append(fresh);
    if (pinned) this.#toEnd();
  }

  #append(messages) {
    for (const message of messages) {
      const node = this.#messages.node(message);
      if (node) {
        node.dataset.index = this.#to;
        this.#list.append(node);
      }
      this.#to++;
    }
  }

  #loadingOlder = false;

  async #loadOlder() {
    if (this.#loadingOlder || this.#from === 0) return;
    this.#loadingOlder = true;
    const end = this.#from;
    const start = Math.max(0, end - MORE);
    try {
      const older = await this.#fetch(start, end - start, this.#loop);
      if (end !== this.#from) return;
      const bottom = this.#panel.scrollHeight - this.#panel.scrollTop;
      const nodes = older.map((message, at) => {
        const node = this.#messages.node(message);
        if (node) node.dataset.index = start + at;
        return node;
      });
      this.#list.prepend(...nodes.filter(Boolean));
      this.#from = start;
      this.#older.hidden = start === 0;
      this.#panel.scrollTop = this.#panel.scrollHeight - bottom;
    } catch (failure) {
      this.#fail(failure);
    } finally {
      this.#loadingOlder = false;
    }
  }

  #forget() {
    this.#list.replaceChildren();
    this.#messages.forgetAll();
    this.#from = 0;
    this.#to = 0;
    this.#path = [];
  }

  #settleLive(fresh) {
    if (this.#session.status === 'running' || this.#posting) this.#live.drop(fresh);
    else this.#live.clear();
  }

  // ---- showing

  #render() {
    const session = this.#session;
    if (session) {
      document.title = title(session) + ' · Skein';
      this.#heading.textContent = title(session);
      this.#pill.textContent = STATUS[session.status] ?? session.status;
      this.#pill.className = 'pill ' + session.status;
      this.#facts.textContent = [session.model, many(session.message_count, 'message'),
        usd(session.cost) > 0 ? money(usd(session.cost)) : ''].filter(Boolean).join(' · ');
      this.#actions.replaceChildren(...this.#sessionActions());
    }
    this.#tabs.replaceChildren(...TABS.map(([tab, label]) => el('a', {
      href: address(this.id, tab), 'aria-current': tab === this.#tab ? 'page' : null, class: 'tab',
    }, label)));
    this.#panel.setAttribute('aria-label', TABS.find(([tab]) => tab === this.#tab)[1]);
    if (this.#tab !== 'timeline') { this.#timeline?.stop(); this.#timeline = null; }
    const elsewhere = this.#loop !== null && this.#loop !== this.#tree.head;
    this.#composer.hidden = this.#tab !== 'talk' || elsewhere;
    if (this.#tab === 'talk') this.#renderTalk(elsewhere);
    else if (session) this.#renderOther();
    this.#running();
  }

  #renderTalk(elsewhere) {
    this.#older.hidden = this.#from === 0;
    this.#live.node.hidden = elsewhere;
    this.#end.replaceChildren(...(this.#session ? this.#endOfTalk(elsewhere) : [el('p', { class: 'faint' }, 'Reading…')]));
    if (this.#panel.firstChild !== this.#talk) {
      this.#panel.replaceChildren(this.#talk);
      this.#toEnd();
    }
  }

  #endOfTalk(elsewhere) {
    if (elsewhere) {
      return [el('p', { class: 'note' }, 'This is a branch that the conversation did not take. ',
        el('a', { href: address(this.id) }, 'Back to the conversation'), ' · ',
        el('a', { href: address(this.id, 'compare', this.#loop) }, 'Compare with it'))];
    }
    const last = this.#path.at(-1);
    if (!last && this.#live.isEmpty) {
      return [el('p', { class: 'empty' }, 'Nothing was said yet. Write a message below; Ctrl+Enter sends it.')];
    }
    const parts = this.#approvals.map((waiting) => this.#approval(waiting));
    if (last && ['aborted', 'rejected'].includes(last.status)) {
      parts.push(el('p', { class: 'note warning' },
        last.status === 'rejected' ? 'This was refused: ' + (last.rejection ?? '') : 'This ended early; what was finished is kept.'));
    }
    if (last && !this.#isRunning) parts.push(this.#runActions(last));
    return parts;
  }

  #renderOther() {
    if (this.#tab === 'timeline') {
      this.#timeline ??= new TimelineView(this.id);
      this.#timeline.update(this.#tree);
      if (this.#panel.firstChild !== this.#timeline.node) this.#panel.replaceChildren(this.#timeline.node);
      return;
    }
    const views = {
      tree: () => treeView(this.#session, this.#tree),
      usage: () => usageView(this.#session, this.#tree),
      compare: () => compareView(this.id, this.#tree, this.#loop),
    };
    const key = this.#tab + JSON.stringify([this.#tree, this.#loop]);
    if (key === this.#shownKey && this.#panel.firstChild === this.#shownNode) return;
    this.#shownKey = key;
    this.#shownNode = views[this.#tab]();
    this.#panel.replaceChildren(this.#shownNode);
  }

  #shownKey = '';
  #shownNode = null;

  #running() {
    this.#stopButton.hidden = !this.#isRunning;
    this.#sendButton.hidden = this.#isRunning;
    this.#talk.classList.toggle('running', this.#isRunning);
  }

  get #isRunning() {
    return this.#posting || this.#session?.status === 'running';
  }

  #pinned() {
    return this.#panel.scrollHeight - this.#panel.scrollTop - this.#panel.clientHeight < 120;
  }

  #toEnd() {
    this.#panel.scrollTop = this.#panel.scrollHeight;
  }

  #connection(state, failure) {
    this.#net.hidden = state === 'live';
    this.#net.textContent = state === 'ended'
      ? failure.message + (failure.status === 404 ? ' Choose another session.' : '')
      : 'Reconnecting… what happens meanwhile will be shown.';
    this.#net.dataset.state = state;
    this.#main.dataset.connection = state;
  }

  #fail(failure) {
    const request = failure.request ? ` (request ${failure.request})` : '';
    this.#problem.replaceChildren(failure.message + request,
      button('Dismiss', () => { this.#problem.hidden = true; }, { class: 'quiet small' }));
    this.#problem.hidden = false;
    this.#composer.hidden = false;
  }

  // ---- what happens

  #heard(event) {
    const pinned = this.#pinned();
    this.#live.take(event);
    if (event.event === 'started') announce('The assistant is working.');
    if (event.event === 'approval_required') announce(`The tool ${event.data.name} needs your yes.`);
    if (event.event === 'finished') announce('Answer: ' + shortened(event.data.final_message, 300));
    if (event.event === 'error') this.#fail(event.data);
    if (LISTENED.has(event.event)) {
      this.refreshSoon();
      this.#owner.changed();
    }
    if (pinned && this.#tab === 'talk') requestAnimationFrame(() => setTimeout(() => this.#toEnd(), 60));
  }

  // ---- doing

  #sendFirst() {
    const key = 'skein.first.' + this.id;
    const words = sessionStorage.getItem(key);
    if (words === null) return;
    sessionStorage.removeItem(key);
    this.#say(words);
  }

  #submit() {
    const words = this.#prompt.value;
    if (!words.trim() || this.#isRunning) return;
    this.#prompt.value = '';
    this.#prompt.rows = 2;
    this.#say(words);
  }

  async #say(words) {
    this.#live.said(words);
    const done = await this.#run('/completions', { prompt: words });
    if (!done && !this.#prompt.value) this.#prompt.value = words;
  }

  // Lets the agent run. Its words come through the tail; here only whether it could begin, and what went wrong.
  async #run(what, body = {}) {
    this.#problem.hidden = true;
    this.#posting = true;
    this.#render();
    this.#toEnd();
    let begun = false;
    try {
      const response = await send('POST', path(this.id, what), {
        body: { ...body, stream: true, on_disconnect: 'continue' },
        headers: { Accept: 'text/event-stream' },
      });
      for await (const event of events(response)) {
        begun = true;
        if (event.event === 'error') this.#fail(event.data);
      }
    } catch (failure) {
      if (!begun && !this.#closed) this.#fail(failure);
    } finally {
      this.#posting = false;
      this.refreshSoon();
      this.#owner.changed();
    }
    return begun;
  }

  async #stop() {
    await this.#do(async () => {
      const { cancelled } = await post(path(this.id, '/cancel'));
      if (cancelled === 0) {
        throw new Error('Nothing of this session runs in this server. If a terminal runs it, stop it there;'
          + ' if that is gone, "Continue" takes up what is left.');
      }
    });
  }

  async #do(task) {
    this.#problem.hidden = true;
    try {
      await task();
    } catch (failure) {
      this.#fail(failure);
    }
    await this.refresh();
    this.#owner.changed();
  }

  #runActions(last) {
    const waiting = this.#approvals.length > 0;
    const unfinished = ['aborted', 'running'].includes(last.status);
    return el('div', { class: 'row run-actions' },
      !waiting && unfinished && button('Continue', () => this.#run('/continue'), { class: 'primary small' }),
      !waiting && button('Regenerate', () => this.#run('/regenerate'), { class: 'quiet small' }),
      button('Undo', () => this.#do(() => post(path(this.id, '/undo'))), { class: 'quiet small' }));
  }

  #approval(waiting) {
    const note = el('input', { type: 'text', placeholder: 'Why, or an answer (optional)', 'aria-label': 'Note' });
    const decide = (approved) => this.#decide(waiting.call, approved, note.value.trim());
    return el('section', { class: 'approval', 'aria-label': 'Approval for ' + waiting.name },
      el('h3', {}, 'May it use ', el('code', {}, waiting.name), '?'),
      waiting.reason && el('p', {}, waiting.reason),
      code(JSON.stringify(waiting.args, null, 2), 'arguments'),
      el('div', { class: 'row' }, note,
        button('Allow', () => decide(true), { class: 'primary' }), button('Deny', () => decide(false), { class: 'danger' })));
  }

  async #decide(call, approved, note) {
    let waiting = 1;
    await this.#do(async () => {
      const answer = await post(path(this.id, '/approvals/' + encodeURIComponent(call)), { approved, note: note || undefined });
      waiting = answer.waiting;
    });
    if (waiting === 0) await this.#run('/continue');
  }

  #sessionActions() {
    const session = this.#session;
    return [
      button('Rename', () => this.#rename(session), { class: 'quiet small' }),
      button('Fork', () => this.#fork(session), { class: 'quiet small' }),
      button('Delete', () => this.#delete(session), { class: 'quiet small' }),
    ];
  }

  async #rename(session) {
    const done = await ask({
      title: 'Rename', field: 'Name', value: session.alias ?? '', ok: 'Rename',
      check: (alias) => call('PATCH', path(this.id), { alias: alias || null }),
    });
    if (done !== null) { await this.refresh(); this.#owner.changed(); }
  }

  async #fork(session) {
    let made;
    await ask({
      title: 'Fork', text: 'A new session that shares everything up to now and goes its own way.',
      field: 'Name of the new one (optional)', ok: 'Fork',
      check: async (alias) => { made = await post(path(session.id, '/fork'), alias ? { alias } : {}); },
    });
    if (made) { this.#owner.changed(); location.hash = address(made.id); }
  }

  async #delete(session) {
    const done = await ask({
      title: 'Delete?', danger: true, ok: 'Delete',
      text: `"${title(session)}" with ${many(session.message_count, 'message')} is removed. This cannot be taken back here.`,
      check: () => call('DELETE', path(this.id)),
    });
    if (done !== null) { this.#owner.changed(); location.hash = '#list'; }
  }
}
