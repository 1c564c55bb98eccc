// Where messages are written, and where a run is stopped. Problems are told here too.

import { button, el } from './dom.js';

const ROWS = 2;
const ROWS_MAX = 12;

export class Composer {
  #send;
  #running = false;
  #queued = false;

  constructor({ send, stop }) {
    this.#send = send;
    this.problem = el('div', { class: 'problem', role: 'alert', hidden: true });
    this.prompt = el('textarea', {
      id: 'prompt', rows: ROWS, placeholder: 'Write a message', 'aria-label': 'Message',
      on: { keydown: (event) => this.#pressed(event), input: () => this.#fit() },
    });
    this.sendButton = el('button', { type: 'submit', class: 'primary', title: 'Ctrl+Enter' }, 'Send');
    this.stopButton = button('Stop', () => {
      this.#queued = false;
      stop();
    }, { class: 'danger', hidden: true });
    this.fields = el('div', { class: 'row' }, this.prompt,
      el('div', { class: 'column' }, this.sendButton, this.stopButton));
    this.node = el('form', { class: 'composer' }, this.problem, this.fields);
    this.node.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  #pressed(event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#submit();
    }
  }

  #fit() {
    this.prompt.rows = Math.min(ROWS_MAX, Math.max(ROWS, this.prompt.value.split('\n').length));
  }

  #submit() {
    const words = this.prompt.value;
    if (!words.trim()) return;
    // What is sent while an answer is still being finished goes out right after it.
    this.#queued = this.#running;
    if (this.#running) return;
    this.write('');
    this.#send(words);
  }

  write(words) {
    this.prompt.value = words;
    this.#fit();
  }

  // Gives words back that could not be sent, unless others stand there by now.
  giveBack(words) {
    if (!this.prompt.value) this.write(words);
  }

  running(is) {
    this.#running = is;
    this.stopButton.hidden = !is;
    this.sendButton.hidden = is;
    if (!is && this.#queued) this.#submit();
  }

  show(is) {
    this.fields.hidden = !is;
    this.node.hidden = !is && this.problem.hidden;
  }

  fail(failure) {
    const request = failure.request ? ` (request ${failure.request})` : '';
    this.problem.replaceChildren(failure.message + request + ' ',
      button('Dismiss', () => this.clear(), { class: 'quiet small' }));
    this.problem.hidden = false;
    this.node.hidden = false;
  }

  clear() {
    this.problem.hidden = true;
  }
}
