// Builds nodes. Text only ever becomes text: nothing here, or anywhere on the page, parses markup.

const SVG = 'http://www.w3.org/2000/svg';

export function el(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

// `on` holds listeners; null, undefined and false are left out; true is an attribute without value.
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name === 'on') {
      for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? '' : value);
    }
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function button(label, listener, props = {}) {
  return el('button', { type: 'button', ...props, on: { click: listener } }, label);
}

// Says something to people who do not see the page. One sentence at a time, never a stream.
export function announce(text) {
  document.getElementById('status').textContent = text;
}

// Runs `task` once, `delay` after the last time it was asked for.
export function debounced(task, delay) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => task(...args), delay);
  };
}

export async function copy(text, pressed) {
  const before = pressed.textContent;
  try {
    await navigator.clipboard.writeText(text);
    pressed.textContent = 'Copied';
  } catch {
    pressed.textContent = 'Select and copy by hand';
  }
  setTimeout(() => { pressed.textContent = before; }, 1500);
}
