// Messages as a person reads them: words in the open, thinking and tools folded.

import { button, copy, el } from './dom.js';
import { clock, compact, shortened } from './format.js';
import { code, markdown } from './markdown.js';

const TEXT_MAX = 100_000;
const NAMES = { user: 'You', assistant: 'Assistant', system: 'System', tool: 'Tool' };

// Knows the tool calls that are shown, so that results find their calls.
export class Messages {
  #calls = new Map();

  node(message) {
    if (message.role === 'tool') return this.#results(message);
    const words = message.parts.filter((part) => part.type === 'text').map((part) => part.text).join('\n');
    const press = button('Copy', () => copy(words, press), { class: 'copy quiet small' });
    return el('li', { class: 'message ' + message.role, 'data-message': message.id },
      el('div', { class: 'who' },
        el('span', { class: 'name' }, NAMES[message.role] ?? message.role),
        el('time', { datetime: message.at, title: message.at }, clock(message.at)),
        message.reply?.model && el('span', { class: 'faint' }, message.reply.model),
        message.reply?.usage && el('span', { class: 'faint' }, usage(message.reply.usage)),
        words && press),
      el('div', { class: 'body' }, message.parts.map((part) => this.#part(part, message.role)),
        message.reply?.error && el('p', { class: 'problem' }, message.reply.error)));
  }

  #part(part, role) {
    switch (part.type) {
      case 'text': return words(part.text, role);
      case 'thinking': return thinking(part.text || (part.redacted ? 'Hidden by the provider.' : ''));
      case 'image': return image(part);
      case 'tool_call': return this.call(part.id, part.name, part.arguments).node;
      case 'tool_result': return null;
      default: return details('A part of kind ' + part.type, code(JSON.stringify(part, null, 2), 'json'));
    }
  }

  // Results stand with their calls. Those whose call is not on the page stand alone.
  #results(message) {
    const alone = message.parts.filter((part) => part.type === 'tool_result').filter((part) => {
      const shown = this.#calls.get(part.call);
      shown?.finish(resultText(part), part.is_error);
      return !shown;
    });
    if (alone.length === 0) return null;
    return el('li', { class: 'message tool', 'data-message': message.id }, el('div', { class: 'body' },
      alone.map((part) => {
        const shown = this.call(part.call, part.name, null);
        shown.finish(resultText(part), part.is_error);
        return shown.node;
      })));
  }

  has(call) {
    return this.#calls.has(call);
  }

  known(call) {
    return this.#calls.get(call);
  }

  call(id, name, args) {
    const shown = new ToolCall(name, args);
    this.#calls.set(id, shown);
    return shown;
  }

  forgetAll() {
    this.#calls.clear();
  }
}

const usage = (used) => `${compact(used.input_tokens)} in, ${compact(used.output_tokens)} out`;

export const resultText = (part) => part.content
  .map((piece) => piece.type === 'text' ? piece.text : `[${piece.type}]`).join('\n');

function words(text, role) {
  if (text.length > TEXT_MAX) {
    return el('div', { class: 'plain' }, text.slice(0, TEXT_MAX),
      el('p', { class: 'faint' }, `${text.length - TEXT_MAX} more characters; export the session to read them.`));
  }
  return role === 'assistant' ? el('div', { class: 'markdown' }, markdown(text)) : el('div', { class: 'plain' }, text);
}

export function details(summary, content, props = {}) {
  return el('details', props, el('summary', {}, summary), content);
}

export const thinking = (text) => text ? details('Thinking', el('div', { class: 'plain' }, text),
  { class: 'thinking' }) : null;

// Pictures that came with the message are shown; those that are somewhere else are only named.
function image(part) {
  const name = part.source || part.url || 'picture';
  if (!part.data || !/^image\/(png|jpeg|gif|webp)$/.test(part.mime_type ?? '')) {
    return el('p', { class: 'faint' }, 'picture: ' + name);
  }
  return el('img', { src: `data:${part.mime_type};base64,${part.data}`, alt: name, class: 'picture' });
}

class ToolCall {
  constructor(name, args) {
    this.state = el('span', { class: 'state' }, 'no result yet');
    this.result = el('div', {});
    this.node = el('details', { class: 'tool-call' },
      el('summary', {},
        el('span', { class: 'tool-name' }, name),
        el('code', { class: 'brief' }, args === null ? '' : shortened(brief(args), 90)),
        this.state),
      args !== null && labelled('Arguments', code(JSON.stringify(args, null, 2), 'json')),
      this.result);
  }

  running() {
    this.state.textContent = 'running';
    this.state.className = 'state running';
  }

  waits() {
    this.state.textContent = 'waits for you';
    this.state.className = 'state waiting';
  }

  finish(text, isError) {
    this.state.textContent = isError ? 'failed' : 'done';
    this.state.className = 'state ' + (isError ? 'failed' : 'done');
    this.result.replaceChildren(labelled('Result', code(text.slice(0, TEXT_MAX), isError ? 'error' : 'text')));
  }
}

const labelled = (label, content) => el('div', {}, el('div', { class: 'label' }, label), content);

function brief(args) {
  const values = Object.values(args ?? {});
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(args);
}
