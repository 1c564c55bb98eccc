// Tokens and cost, loop by loop, as drawings and as a table.

import { el, svg } from './dom.js';
import { compact, count, money, shortened, usd } from './format.js';

const WIDTH = 760;
const HEIGHT = 190;
const LEFT = 52;
const BOTTOM = 24;
const BARS_MAX = 80;

export function usageView(session, tree) {
  if (tree.loops.length === 0) {
    return el('p', { class: 'empty' }, 'Nothing was spent yet. Tokens and cost appear here with the first answer.');
  }
  const bars = bundled(tree.loops);
  const unit = bars[0].loops === 1 ? 'loop' : `${bars[0].loops} loops`;
  let spent = 0;
  const costs = bars.map((bar) => { spent += bar.cost; return spent; });
  return el('div', { class: 'usage' },
    tiles(session, tree),
    figure(`Tokens per ${unit}`, stacked(bars), el('p', { class: 'legend faint' },
      swatch('cached'), 'input from cache ', swatch('input'), 'other input ', swatch('output'), 'output')),
    figure('Cost so far', line(costs, bars), null),
    table(bars));
}

function tiles(session, tree) {
  const used = session.usage ?? {};
  const facts = [
    ['Cost', money(usd(session.cost))], ['Input', compact(used.input_tokens)],
    ['From cache', compact(used.cached_tokens)],
    ['Output', compact(used.output_tokens)], ['Reasoning', compact(used.reasoning_tokens)],
    ['Loops', count(tree.loops.length)], ['Turns', count(tree.loops.reduce((sum, loop) => sum + loop.turns, 0))],
    ['Messages', count(session.message_count)]];
  return el('dl', { class: 'tiles' },
    facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

// Many loops become few bars, so that a bar can be seen.
function bundled(loops) {
  const size = Math.ceil(loops.length / BARS_MAX);
  const bars = [];
  for (let at = 0; at < loops.length; at += size) {
    const bundle = loops.slice(at, at + size);
    const sum = (of) => bundle.reduce((total, loop) => total + Number(of(loop) ?? 0), 0);
    bars.push({
      name: size === 1 ? shortened(bundle[0].first_message, 60) : `loops ${at + 1} to ${at + bundle.length}`,
      loops: size,
      input: sum((loop) => loop.usage.input_tokens),
      cached: sum((loop) => loop.usage.cached_tokens),
      output: sum((loop) => loop.usage.output_tokens),
      cost: sum((loop) => usd(loop.cost)),
    });
  }
  return bars;
}

const scrolling = (name, content) =>
  el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': name }, content);

const figure = (caption, drawing, legend) =>
  el('figure', { class: 'chart' }, el('figcaption', {}, caption), scrolling(caption, drawing), legend);

const swatch = (kind) => el('span', { class: 'swatch ' + kind });

// A round number that is not less.
function ceiling(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value * 0.999);
}

function frame(top, label, name) {
  const lines = [0, 0.5, 1].map((share) => {
    const y = HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - 12);
    return svg('g', {}, svg('line', { class: 'grid', x1: LEFT, x2: WIDTH, y1: y, y2: y }),
      svg('text', { class: 'axis', x: LEFT - 8, y: y + 4, 'text-anchor': 'end' }, label(top * share)));
  });
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': name, class: 'plot' }, lines);
}

const height = (value, top) => (value / top) * (HEIGHT - BOTTOM - 12);

function stacked(bars) {
  const top = ceiling(Math.max(...bars.map((bar) => bar.input + bar.output)));
  const plot = frame(top, compact, 'Tokens by loop');
  const step = (WIDTH - LEFT) / bars.length;
  bars.forEach((bar, at) => {
    const width = Math.max(1, Math.min(36, step * 0.7));
    const x = LEFT + at * step + (step - width) / 2;
    let y = HEIGHT - BOTTOM;
    const group = svg('g', {}, svg('title', {},
      `${bar.name}: ${count(bar.input)} in (${count(bar.cached)} from cache), ${count(bar.output)} out`));
    for (const [kind, value] of [['cached', bar.cached], ['input', bar.input - bar.cached], ['output', bar.output]]) {
      const high = height(value, top);
      y -= high;
      group.append(svg('rect', { class: 'bar ' + kind, x, y, width, height: high }));
    }
    plot.append(group);
  });
  plot.append(...ends(bars.length, bars[0].loops));
  return plot;
}

function line(values, bars) {
  const top = ceiling(values.at(-1));
  const plot = frame(top, money, 'Cost so far');
  const step = (WIDTH - LEFT) / values.length;
  const points = values.map((value, at) => [LEFT + (at + 0.5) * step, HEIGHT - BOTTOM - height(value, top)]);
  const way = points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  plot.append(
    svg('path', { class: 'area', d: `${way}V${HEIGHT - BOTTOM}H${points[0][0]}Z` }),
    svg('path', { class: 'line', d: way }),
    ...points.map(([x, y], at) => svg('circle', { class: 'dot', cx: x, cy: y, r: points.length > 40 ? 1.5 : 3 },
      svg('title', {}, `${bars[at].name}: ${money(values[at])}`))),
    ...ends(bars.length, bars[0].loops));
  return plot;
}

const ends = (bars, size) => [
  svg('text', { class: 'axis', x: LEFT, y: HEIGHT - 6 }, 'first'),
  svg('text', { class: 'axis', x: WIDTH, y: HEIGHT - 6, 'text-anchor': 'end' }, bars * size > 1 ? 'newest' : '')];

function table(bars) {
  const head = ['Loop', 'Input', 'From cache', 'Output', 'Cost'].map((name) => el('th', { scope: 'col' }, name));
  const row = (bar) => [bar.name, count(bar.input), count(bar.cached), count(bar.output), money(bar.cost)]
    .map((cell) => el('td', {}, cell));
  return el('details', {}, el('summary', {}, 'As a table'), scrolling('Usage table', el('table', {},
    el('thead', {}, el('tr', {}, head)), el('tbody', {}, bars.map((bar) => el('tr', {}, row(bar)))))));
}
