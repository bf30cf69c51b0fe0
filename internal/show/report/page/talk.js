// A conversation, turn by turn, as `bfcl trace` plays it.
const long = 400;
const resultOf = c => {
  if (!c.result) return null;
  const pre = region('Result', make('pre', { class: c.error ? 'del' : '', text: c.result }));
  return c.result.length > long ? fold('Result, ' + c.result.length + ' characters', pre) : pre;
};
const callBox = c => make('div', { class: 'call' }, make('code', { text: c.call }), resultOf(c));

const changes = list => {
  const pre = make('pre', { class: 'diff' });
  for (const { class: api, path, before, after } of list) {
    pre.append(make('span', { text: (api ? api + '.' : '') + path }));
    if (before) pre.append(make('span', { class: 'del', text: '− ' + before }));
    if (after) pre.append(make('span', { class: 'add', text: '+ ' + after }));
  }
  return make('div', {}, make('h4', { text: 'Changed' }), region('Changes of the state', pre));
};

const tookOf = s => [s.latency ? s.latency.toFixed(1) + ' s' : '', s.input_tokens || s.output_tokens ? (s.input_tokens || 0) + ' tokens in, ' + (s.output_tokens || 0) + ' out' : '']
  .filter(Boolean).map(text => ' · ' + text).join('');

const stepBox = (s, n) => make('div', { class: 'step' },
  make('p', { class: 'meta', text: 'step ' + (n + 1) + tookOf(s) }),
  folded('Reasoning', s.reasoning),
  s.text ? make('div', { class: 'msg assistant' }, region('Text', make('pre', { text: s.text }))) : null,
  s.undecoded ? make('p', { class: 'meta', text: 'No calls could be read: ' + s.undecoded }) : null,
  ...(s.calls || []).map(callBox),
  s.changes ? changes(s.changes) : null);

const turnBox = (t, n, d) => {
  const words = { pass: '✓ right', fail: '✗ fails here', '': 'not judged' }[t.outcome || ''] || t.outcome;
  const box = make('details', { class: 'turn ' + (t.outcome || ''), 'data-turn': n + 1 }, make('summary', {}, make('b', { text: 'Turn ' + (n + 1) }), make('span', { text: words })));
  let built = false;
  box.build = () => {
    if (built) return;
    built = true;
    if (t.new_tools) box.append(make('p', { class: 'meta', text: 'New functions: ' + t.new_tools.join(', ') }));
    (d.turns[n] || []).forEach(m => box.append(message(m)));
    const made = make('div', {}, make('h4', { text: 'Made' }), ...t.steps.map(stepBox));
    if (!t.steps.length) made.append(make('p', { class: 'meta', text: 'nothing' }));
    const wanted = make('div', {}, make('h4', { text: 'Expected' }), ...(d.expect?.[n] || []).map(callBox));
    if (!d.expect?.[n]?.length) wanted.append(make('p', { class: 'meta', text: 'nothing' }));
    box.append(make('div', { class: 'pair' }, made, wanted));
  };
  box.addEventListener('toggle', () => { if (box.open) box.build(); });
  box.querySelector('summary').addEventListener('click', () => {
    if (!box.open) go({ turn: String(n + 1), run: book.runs.length > 1 ? book.runs[+box.closest('[data-r]').dataset.r] : state.run }, true);
  });
  return box;
};

const talk = (a, d) => a.talk.map((t, n) => {
  const box = turnBox(t, n, d);
  if (t.outcome === 'fail' || a.talk.length === 1) { box.build(); box.open = true; }
  return box;
});

// sameTurn opens, in each run that is shown, the turns that fail in any of them, so
// that like stands beside like.
const sameTurn = () => {
  const fails = new Set([...$('body').querySelectorAll('.run[open] .turn[open]')].map(t => t.dataset.turn));
  for (const turn of $('body').querySelectorAll('.run[open] .turn')) {
    if (fails.has(turn.dataset.turn)) { turn.build?.(); turn.open = true; }
  }
};

// showTurn opens the turn that the address names.
const showTurn = () => {
  if (state.turn === undefined) return;
  const r = runAt(), box = $('body').querySelector((r < 0 ? '.run[open] ' : '.run[data-r="' + r + '"] ') + '.turn[data-turn="' + CSS.escape(state.turn) + '"]');
  if (!box || box.open) return;
  box.build();
  box.open = true;
  box.scrollIntoView();
};
