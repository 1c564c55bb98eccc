// What was said on one path through the tree. Shows the newest and reads older messages when somebody scrolls to them.

import { get, session as path } from './api.js';
import { button, el } from './dom.js';

const FIRST = 60;
const MORE = 200;
const AT_ONCE = 1000;

export class Transcript {
  #id;
  #messages;
  #failed;
  #loop = null;
  #from = 0;
  #to = 0;
  #loading = false;

  constructor(id, messages, failed) {
    this.#id = id;
    this.#messages = messages;
    this.#failed = failed;
    this.way = [];
    this.older = button('Show older messages', () => this.#loadOlder(), { class: 'quiet', hidden: true });
    this.list = el('ol', { class: 'messages' });
  }

  // Loads more when the top comes near. `panel` is what scrolls.
  watch(panel) {
    this.panel = panel;
    new IntersectionObserver((seen) => {
      if (seen.some((entry) => entry.isIntersecting)) this.#loadOlder();
    }, { root: panel, rootMargin: '400px 0px 0px 0px' }).observe(this.older);
  }

  // The newest loop on the path.
  get last() {
    return this.way.at(-1);
  }

  // Reads what the journal has on this path and this page does not show yet. Nothing is shown before show() is called.
  async read(way, loop) {
    const total = way.reduce((sum, item) => sum + item.messages, 0);
    const kept = loop === this.#loop ? this.#kept(way) : 0;
    const anew = kept < this.#from || this.#to === 0 || total - kept > AT_ONCE;
    const from = anew ? Math.max(0, total - FIRST) : kept;
    const fresh = from < total ? await this.#fetch(from, total - from, loop) : [];
    return { way, loop, anew, from, fresh };
  }

  show({ way, loop, anew, from, fresh }) {
    if (anew) this.#reset(from);
    while (this.#to > from) this.list.querySelector(`[data-index="${--this.#to}"]`)?.remove();
    for (const message of fresh) {
      const node = this.#node(message, this.#to++);
      if (node) this.list.append(node);
    }
    this.way = way;
    this.#loop = loop;
    this.older.hidden = this.#from === 0;
  }

  #reset(from) {
    this.list.replaceChildren();
    this.#messages.forgetAll();
    this.#from = from;
    this.#to = from;
  }

  // How many of the messages that are shown are still those of this path.
  #kept(way) {
    let kept = 0;
    for (let at = 0; at < way.length && at < this.way.length; at++) {
      if (way[at].id !== this.way[at].id) break;
      kept += Math.min(way[at].messages, this.way[at].messages);
      if (way[at].messages !== this.way[at].messages) break;
    }
    return Math.min(kept, this.#to);
  }

  async #fetch(from, limit, loop) {
    const branch = loop ? '&loop=' + encodeURIComponent(loop) : '';
    const page = await get(path(this.#id, `/messages?cursor=${from}&limit=${Math.min(limit, AT_ONCE)}${branch}`));
    return page.messages;
  }

  #node(message, index) {
    const node = this.#messages.node(message);
    if (node) node.dataset.index = index;
    return node;
  }

  async #loadOlder() {
    if (this.#loading || this.#from === 0) return;
    this.#loading = true;
    const end = this.#from;
    const loop = this.#loop;
    const start = Math.max(0, end - MORE);
    try {
      const messages = await this.#fetch(start, end - start, loop);
      if (end !== this.#from || loop !== this.#loop) return;
      const below = this.panel.scrollHeight - this.panel.scrollTop;
      this.list.prepend(...messages.map((message, at) => this.#node(message, start + at)).filter(Boolean));
      this.#from = start;
      this.older.hidden = start === 0;
      this.panel.scrollTop = this.panel.scrollHeight - below;
    } catch (failure) {
      this.#failed(failure);
    } finally {
      this.#loading = false;
    }
  }
}
