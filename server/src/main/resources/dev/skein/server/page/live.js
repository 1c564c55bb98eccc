// What is being said and not yet read from the journal: words as they come, tools as they run.

import { el } from './dom.js';
import { details } from './messages.js';
import { GrowingMarkdown } from './markdown.js';

export class Live {
  #messages;
  #items = [];
  #text = null;
  #thought = null;

  constructor(messages) {
    this.#messages = messages;
    this.node = el('ol', { class: 'messages live', 'aria-label': 'Being said' });
  }

  get isEmpty() {
    return this.#items.length === 0;
  }

  // A person's words, before the journal has them.
  said(words) {
    this.#add({ kind: 'user', text: words }, el('li', { class: 'message user' },
      el('div', { class: 'who' }, el('span', { class: 'name' }, 'You')),
      el('div', { class: 'body' }, el('div', { class: 'plain' }, words))));
  }

  take(event) {
    const data = event.data;
    switch (event.event) {
      case 'thinking_delta': this.#think(data.text); break;
      case 'assistant_delta': this.#say(data.text); break;
      case 'assistant_message_end': this.#settle(data.text); break;
      case 'tool_call': this.#call(data); break;
      case 'tool_result': this.#messages.known(data.id)?.finish(data.result, data.is_error); break;
      case 'warning': case 'info': this.#note(data.text, event.event); break;
      default: break;
    }
  }

  #think(words) {
    if (!this.#thought) {
      const text = document.createTextNode('');
      this.#thought = { kind: 'thinking', text };
      this.#add(this.#thought, el('li', { class: 'message assistant' }, el('div', { class: 'body' },
        details('Thinking…', el('div', { class: 'plain' }, text), { class: 'thinking' }))));
    }
    this.#thought.text.appendData(words);
  }

  #say(words) {
    if (!this.#text) {
      const growing = new GrowingMarkdown();
      this.#text = { kind: 'text', growing, text: null };
      this.#add(this.#text, el('li', { class: 'message assistant' },
        el('div', { class: 'who' }, el('span', { class: 'name' }, 'Assistant')),
        el('div', { class: 'body' }, growing.node)));
    }
    this.#text.growing.add(words);
  }

  #settle(whole) {
    if (!this.#text && whole) this.#say(whole);
    if (this.#text) {
      this.#text.text = whole;
      this.#text.growing.node.classList.remove('growing');
    }
    this.#text = null;
    this.#thought = null;
  }

  #call(data) {
    const shown = this.#messages.known(data.id);
    if (shown) {
      shown.running();
      return;
    }
    const call = this.#messages.call(data.id, data.name, data.args);
    call.running();
    this.#add({ kind: 'call', id: data.id }, el('li', { class: 'message assistant' },
      el('div', { class: 'body' }, call.node)));
  }

  #note(text, kind) {
    this.#add({ kind: 'note' }, el('li', { class: 'note ' + kind }, text));
  }

  #add(item, node) {
    item.node = node;
    this.#items.push(item);
    this.node.append(node);
  }

  // Lets go of what the journal has by now: everything up to the last item that is found there.
  drop(journal) {
    const calls = new Set();
    const texts = new Set();
    for (const message of journal) {
      for (const part of message.parts) {
        if (part.type === 'tool_call') calls.add(part.id);
        if (part.type === 'text') texts.add(message.role + part.text);
      }
    }
    const covered = this.#items.findLastIndex((item) =>
      (item.kind === 'call' && calls.has(item.id))
      || (item.kind === 'user' && texts.has('user' + item.text))
      || (item.kind === 'text' && item.text !== null && texts.has('assistant' + item.text)));
    for (const item of this.#items.splice(0, covered + 1)) this.#remove(item);
  }

  clear() {
    for (const item of this.#items.splice(0)) this.#remove(item);
    this.#text = null;
    this.#thought = null;
  }

  #remove(item) {
    item.node.remove();
    if (item === this.#thought) this.#thought = null;
    if (item === this.#text) this.#text = null;
  }
}
