// Numbers, times and names as people read them.

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const count = (number) => whole.format(number ?? 0);
export const compact = (number) => short.format(number ?? 0);
export const many = (number, one, more = one + 's') => `${count(number)} ${Number(number) === 1 ? one : more}`;

export function money(usd) {
  const value = Number(usd ?? 0);
  if (value === 0) return '$0';
  return value < 0.01 ? '$' + value.toPrecision(2) : '$' + value.toFixed(value < 1 ? 3 : 2);
}

// The API's costs are objects or plain numbers, depending on where they stand.
export const usd = (cost) => Number(typeof cost === 'object' && cost !== null ? cost.usd ?? 0 : cost ?? 0);

export function ago(instant, now = Date.now()) {
  if (!instant) return '';
  const seconds = Math.max(0, (now - Date.parse(instant)) / 1000);
  if (seconds < 60) return 'now';
  if (seconds < 3600) return Math.floor(seconds / 60) + ' min';
  if (seconds < 86400) return Math.floor(seconds / 3600) + ' h';
  if (seconds < 86400 * 14) return Math.floor(seconds / 86400) + ' d';
  return new Date(instant).toISOString().slice(0, 10);
}

export function clock(instant) {
  const date = new Date(instant);
  const today = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return today ? time : date.toISOString().slice(0, 10) + ' ' + time;
}

export function lasting(from, to) {
  if (!from || !to) return '';
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  if (seconds < 60) return seconds.toFixed(1) + ' s';
  return Math.floor(seconds / 60) + ' min ' + Math.floor(seconds % 60) + ' s';
}

export function shortened(text, max) {
  const line = (text ?? '').replace(/\s+/g, ' ').trim();
  return line.length > max ? line.slice(0, max - 1) + '…' : line;
}

export const title = (session) =>
  session.alias || shortened(session.description || session.first_message, 60) || 'Untitled';
