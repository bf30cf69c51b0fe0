const $ = id => document.getElementById(id);

// make builds an element; anything from a model goes in as text.
const make = (tag, props = {}, ...children) => {
  const el = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key === 'class') el.className = value;
    else if (key === 'text') el.textContent = value;
    else el.setAttribute(key, value);
  }
  el.append(...children.filter(Boolean));
  return el;
};

// unpack reads gzip in base64url, as the page's data blocks hold it.
const unpack = async el => {
  const letters = JSON.parse(el.textContent).replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(letters), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
};

const blocks = document.getElementsByClassName('chunk');
const opened = new Map();
const chunk = n => {
  if (!opened.has(n)) opened.set(n, unpack(blocks[n]));
  return opened.get(n);
};

const words = { p: 'pass', f: 'fail', e: 'error', x: 'trials differ', '-': 'not asked' };
const signs = { p: '✓', f: '✗', e: '!', x: '±', '-': '·' };
const sign = (v, run) => make('span', {
  class: 'v ' + (v === '-' ? 'n' : v), text: signs[v], role: 'img',
  'aria-label': run + ': ' + words[v], title: run + ': ' + words[v],
});

let book = null; // the index, once it is unpacked
