// The HTTP API of the server that this page came from. No other server can be named.

const KEY = 'skein.token';

export class Failure extends Error {
  constructor(status, code, message, request) {
    super(message);
    this.status = status;
    this.code = code;
    this.request = request;
  }
}

// Takes the token out of the address, so that it is neither seen nor kept there. Returns whether there was one.
export function takeToken() {
  const found = /^#token=([A-Za-z0-9._~+/=-]+)$/.exec(location.hash);
  if (!found) return false;
  history.replaceState(null, '', '/');
  keepToken(found[1]);
  return true;
}

export const keepToken = (token) => sessionStorage.setItem(KEY, token);
export const forgetToken = () => sessionStorage.removeItem(KEY);
export const hasToken = () => sessionStorage.getItem(KEY) !== null;

export const session = (id, rest = '') => '/v1/sessions/' + encodeURIComponent(id) + rest;

// Sends a request and returns the response, whose status is good.
export async function send(method, path, { body, signal, headers } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      cache: 'no-store',
      credentials: 'omit',
      headers: {
        Authorization: 'Bearer ' + (sessionStorage.getItem(KEY) ?? ''),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new Failure(0, 'page.unreachable', 'The server does not answer. Is "skein serve" still running?', '');
  }
  if (!response.ok) throw await failure(response);
  return response;
}

async function failure(response) {
  let error = {};
  try {
    error = (await response.json()).error ?? {};
  } catch {
    // Not one of ours; the status has to do.
  }
  const found = new Failure(
    response.status,
    error.code ?? 'page.status',
    error.message ?? `The server answered ${response.status}.`,
    error.request_id ?? '');
  if (response.status === 401) window.dispatchEvent(new CustomEvent('skein:unauthorized'));
  return found;
}

export async function call(method, path, body, options = {}) {
  const response = await send(method, path, { ...options, body });
  return response.status === 204 ? null : response.json();
}

export const get = (path, options) => call('GET', path, undefined, options);
export const post = (path, body = {}) => call('POST', path, body);
