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

// digits are the values of ASCII85's letters; vwxy{ stand for "&<>\ in a page.
const digits = Uint8Array.from({ length: 128 }, (_, c) => ({ 118: 34, 119: 38, 120: 60, 121: 62, 123: 92 }[c] ?? c) - 33);

// unpack reads gzip in ASCII85, as the page's data blocks hold it.
const unpack = async el => {
  const letters = JSON.parse(el.textContent);
  const bytes = new Uint8Array(letters.length * 4);
  let n = 0, k = 0, v = 0;
  for (let i = 0; i < letters.length; i++) {
    const c = letters.charCodeAt(i);
    if (c === 122) { n += 4; continue; } // z: four zeros
    v = v * 85 + digits[c];
    if (++k < 5) continue;
    for (k = 24; k >= 0; k -= 8) bytes[n++] = v >>> k;
    k = v = 0;
  }
  for (let i = k; i < 5; i++) v = v * 85 + 84; // the last group, if it is short
  for (let i = 1; i < k; i++) bytes[n++] = v >>> 32 - 8 * i;
  const stream = new Response(bytes.subarray(0, n)).body.pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
};

// The blocks of the cases are behind the script, which need not wait for them.
const blocks = document.getElementsByClassName('chunk');
const whole = new Promise(done => document.addEventListener('DOMContentLoaded', done));
const opened = new Map();
const chunk = n => {
  if (!opened.has(n)) opened.set(n, whole.then(() => unpack(blocks[n])));
  return opened.get(n);
};

const words = { p: 'pass', f: 'fail', e: 'error', x: 'trials differ', '-': 'not asked' };
const signs = { p: '✓', f: '✗', e: '!', x: '±', '-': '·' };
const sign = (v, run) => make('span', {
  class: 'v ' + (v === '-' ? 'n' : v), text: signs[v], role: 'img',
  'aria-label': run + ': ' + words[v], title: run + ': ' + words[v],
});

let book = null; // the index, once it is unpacked
