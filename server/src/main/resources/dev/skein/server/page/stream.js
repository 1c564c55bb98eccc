// Server-sent events, over fetch.
// EventSource cannot send an Authorization header, and tokens do not belong in addresses.

import { Failure, send } from './api.js';

const SILENCE_MAX = 45_000;
const DELAYS = [250, 500, 1000, 2000, 4000, 8000];

// Yields {event, id, data} until the stream ends. `heard` is called for every piece of bytes.
export async function* events(response, heard = () => {}) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let current = { event: 'message', id: null, data: [] };
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      heard();
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop();
      for (const line of lines) {
        if (line === '') {
          if (current.data.length > 0) yield { ...current, data: JSON.parse(current.data.join('\n')) };
          current = { event: 'message', id: null, data: [] };
        } else {
          take(current, line);
        }
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function take(current, line) {
  const colon = line.indexOf(':');
  if (colon === 0) return;
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') current.data.push(value);
  else if (name === 'event') current.event = value;
  else if (name === 'id') current.id = value;
}

// Follows a session for as long as it is not stopped: after a drop it goes on behind the last event that it knows.
export class Tail {
  #path;
  #newest;
  #listener;
  #stop = new AbortController();
  #last = null;
  #failures = 0;

  // listener: {opened(), event(event), state('live'|'reconnecting'|'ended', failure)}
  constructor(path, newest, listener) {
    this.#path = path;
    this.#newest = newest;
    this.#listener = listener;
    this.#run();
  }

  stop() {
    this.#stop.abort();
  }

  async #run() {
    while (!this.#stop.signal.aborted) {
      const failure = await this.#once();
      if (this.#stop.signal.aborted) return;
      if (failure?.status === 400 && this.#last !== null) {
        this.#last = null;
      } else if (failure && failure.status >= 400 && failure.status < 500 && failure.status !== 429) {
        this.#listener.state('ended', failure);
        return;
      }
      this.#listener.state('reconnecting', failure);
      await this.#pause();
    }
  }

  async #once() {
    const attempt = new AbortController();
    const end = () => attempt.abort();
    this.#stop.signal.addEventListener('abort', end);
    let watchdog = 0;
    const heard = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(end, SILENCE_MAX);
    };
    try {
      heard();
      const response = await send('GET', this.#path + (this.#last ? '' : '?newest=' + this.#newest), {
        signal: attempt.signal,
        headers: { Accept: 'text/event-stream', ...(this.#last ? { 'Last-Event-ID': this.#last } : {}) },
      });
      this.#failures = 0;
      this.#listener.state('live');
      this.#listener.opened();
      for await (const event of events(response, heard)) {
        if (event.id) this.#last = event.id;
        else if (event.event === 'error') continue; // why the stream ends; the run does not
        this.#listener.event(event);
      }
      return null;
    } catch (cause) {
      return cause instanceof Failure ? cause : null;
    } finally {
      clearTimeout(watchdog);
      this.#stop.signal.removeEventListener('abort', end);
    }
  }

  // Waits longer each time, but not when the network or the person comes back.
  #pause() {
    const delay = DELAYS[Math.min(this.#failures++, DELAYS.length - 1)] * (0.75 + Math.random() / 2);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        window.removeEventListener('online', done);
        this.#stop.signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, delay);
      window.addEventListener('online', done);
      this.#stop.signal.addEventListener('abort', done);
    });
  }
}
