const page = 100;
let found = [], listed = 0, visited = [];

const runAt = () => state.run === undefined ? -1 : book.runs.indexOf(state.run);
const runsShown = () => { const r = runAt(); return r < 0 ? [...book.runs.keys()] : [r]; };

// causeTest says for each cause whether it passes the filters; null if no
// filter is on causes.
const causeTest = f => {
  if (['cause', 'fn', 'par', 'got'].every(k => f[k] === undefined)) return null;
  const kind = book.kinds.indexOf(f.cause), is = (want, have) => want === undefined || (have || '') === want;
  return book.causes.map(c => (f.cause === undefined || c.k === kind) && is(f.fn, c.fn) && is(f.par, c.par) && is(f.got, c.got));
};

// resultTest says whether a case's result in a run passes the filters on
// results.
const letters = { pass: 'p', fail: 'f', error: 'e', mixed: 'x', failed: 'fex' };
const resultTest = f => {
  const good = causeTest(f), type = book.types.indexOf(f.type), verdicts = f.verdict === undefined ? 'pfex' : letters[f.verdict] || '';
  return (r, i) => {
    if (!verdicts.includes(book.v[r][i])) return false;
    if (good && !book.c[r][i].some(c => good[c])) return false;
    if (f.type !== undefined && (type < 0 || book.e[r][i] !== type)) return false;
    return f.level === undefined || book.level[r][i] !== '-' && +book.level[r][i] < +f.level;
  };
};

const failing = (r, i) => 'fx'.includes(book.v[r][i]);
const amongTest = {
  differ: i => { let p = false, f = false; for (const v of book.v) { p ||= v[i] === 'p'; f ||= 'fx'.includes(v[i]); } return p && f; },
  every: i => { let n = 0; for (const r of book.runs.keys()) { if (book.v[r][i] === '-' || book.v[r][i] === 'e') continue; if (!failing(r, i)) return false; n++; } return n > 1; },
  only: i => {
    const bad = [...book.runs.keys()].filter(r => failing(r, i)), asked = book.v.filter(v => v[i] !== '-').length;
    return bad.length === 1 && asked > 1 && (runAt() < 0 || bad[0] === runAt());
  },
  errata: i => book.errata[i] !== undefined,
};

const categoriesOf = name => {
  const at = book.cats.indexOf(name);
  return new Set(at >= 0 ? [at] : book.groups[name] || []);
};

// filterCases returns the cases that pass, each with the runs whose results
// pass.
const filterCases = f => {
  const test = resultTest(f), cats = f.category === undefined ? null : categoriesOf(f.category);
  const runs = runsShown(), among = f.among === undefined ? null : amongTest[f.among] || (() => false), search = searchTest(f);
  const tagged = f.tag === undefined ? null : new Set(Object.hasOwn(book.tags, f.tag) ? book.tags[f.tag] : []);
  const out = [];
  for (let i = 0; i < book.ids.length; i++) {
    if (cats && !cats.has(book.cat[i])) continue;
    if (tagged && !tagged.has(i)) continue;
    if (among && !among(i)) continue;
    const hits = runs.filter(r => test(r, i));
    if (hits.length && search(i)) out.push({ i, hits });
  }
  return out;
};

// What can be searched: at first only what the list shows, later all answers,
// once they are unpacked.
let deep = 'no';
const searchTest = f => {
  if (!f.q) return () => true;
  if (f.re !== undefined) {
    let re;
    try { re = new RegExp(f.q, 'i'); } catch (e) { searchTrouble = 'Not a regular expression: ' + e.message; return () => false; }
    const until = performance.now() + 3000;
    return i => {
      if (performance.now() > until) { searchTrouble = 'The expression takes too long; only part of the cases was searched.'; return false; }
      return re.test(hay()[i]);
    };
  }
  const want = f.q.trim().toLowerCase();
  return i => hay()[i].includes(want);
};
let searchTrouble = '';

const hay = () => book.hay ??= book.ids.map((id, i) => {
  let text = id + '\n' + book.q[i];
  for (const r of book.runs.keys()) {
    for (const c of book.c[r][i]) text += '\n' + (book.causes[c].fn || '') + ' ' + (book.causes[c].par || '') + ' ' + (book.causes[c].want || '') + ' ' + (book.causes[c].got || '');
    text += '\n' + book.why[r][i];
  }
  return text.toLowerCase();
});

const textOfCase = d => {
  const parts = [];
  const add = s => { if (s) parts.push(s.length > 4000 ? s.slice(0, 4000) : s); };
  const calls = list => list?.forEach(c => { add(c.n); c.a?.forEach(([k, v]) => add(k + ' ' + v)); });
  const makes = list => list?.forEach(c => add(c.call));
  d.turns.forEach(t => t.forEach(m => add(m.content)));
  add(d.answer);
  calls(d.want);
  d.expect?.forEach(makes);
  for (const answers of d.runs) for (const a of answers || []) {
    add(a.why);
    if (a.calls) calls(a.calls); else add(a.raw);
    a.talk?.forEach(t => t.steps.forEach(s => { add(s.text); makes(s.calls); }));
  }
  return parts.join('\n').toLowerCase();
};

// deepen unpacks every answer so that it can be searched, without blocking the
// page.
const deepen = async () => {
  if (deep !== 'no') return;
  deep = 'reading';
  await whole;
  const byChunk = new Map();
  book.chunk.forEach((n, i) => { if (!byChunk.has(n)) byChunk.set(n, []); byChunk.get(n).push(i); });
  const names = new Map();
  const tools = [...new Set(book.toolChunk)];
  for (const n of tools) {
    const items = await unpack(blocks[n]);
    book.toolChunk.forEach((c, t) => {
      if (c === n) names.set(t, items[book.toolPlace[t]].match(/"name": ?"([^"]*)"/)?.[1] || '');
    });
  }
  for (const [n, list] of byChunk) {
    const items = await unpack(blocks[n]);
    for (const i of list) {
      const d = items[book.place[i]];
      hay()[i] += '\n' + (d.tools || []).map(t => names.get(t)).join(' ').toLowerCase() + '\n' + textOfCase(d);
    }
  }
  deep = 'yes';
  document.documentElement.dataset.deep = '1';
  if (state.q) refresh();
};

const seconds = hundredths => hundredths >= 10 ? (hundredths / 100).toFixed(hundredths < 1000 ? 2 : 1) + ' s' : hundredths ? '0.0' + hundredths + ' s' : '';
const dollars = x => !x ? '' : '$' + (x >= 1 ? x.toFixed(2) : x.toPrecision(2).replace(/e-7$/, 'e-7'));
const priceOf = (r, i) => book.cost[r][i] ? book.cost[r][i] / 1e6 : book.rate[r] * book.lat[r][i] / 100;
const priceText = (r, i) => (book.rate[r] && priceOf(r, i) ? '≈ ' : '') + dollars(priceOf(r, i));
const points = (r, i) => 'fx'.includes(book.v[r][i]) ? book.worth[r][book.cat[i]] : 0;

// wordsOf is a kind with what is said beyond it.
const wordsOf = (k, is) => book.titles[k] + (is ? ': ' + is : '');
const causeText = c => wordsOf(c.k, c.is);

// item is a line of the list: the case, why it did not pass, its latency and
// cost, and the verdicts.
const item = (i, hits, runs) => {
  const r = hits.find(r => book.c[r][i].length) ?? hits[0], c = book.causes[book.c[r][i][0]];
  const marks = make('span', { class: 'marks' }, ...runs.map(r => sign(book.v[r][i], book.runs[r])));
  const what = make('span', { class: 'what' },
    c ? make('b', { text: causeText(c) }) : null,
    make('span', { class: 'q', dir: 'auto', text: !c || c.want || c.got ? book.q[i] : book.why[r][i] }));
  const took = make('span', { class: 't', text: [seconds(book.lat[r][i]), priceText(r, i)].filter(Boolean).join(' · ') });
  const href = address({ at: 'cases', ...state, case: nameOf(i) });
  return make('li', {}, make('a', { class: 'item', href, 'data-case': i },
    make('code', { text: book.ids[i] }), what, book.errata[i] ? make('small', { class: 'listed', text: 'listed', title: book.errata[i] }) : null, took, marks));
};

// nameOf is a case in an address: its id, with the category if the id is not
// unique.
const nameOf = i => book.many.has(book.ids[i]) ? book.cats[book.cat[i]] + '/' + book.ids[i] : book.ids[i];
const caseAt = name => {
  const i = book.ids.indexOf(name);
  return i >= 0 ? i : book.ids.findIndex((id, k) => book.cats[book.cat[k]] + '/' + id === name);
};

const more = () => {
  const runs = runsShown(), next = found.slice(listed, listed + page);
  $('list').append(...next.map(({ i, hits }) => item(i, hits, runs)));
  listed += next.length;
  $('more').hidden = listed >= found.length;
  $('more').textContent = 'Show ' + Math.min(page, found.length - listed) + ' more';
};

const orders = {
  dataset: null,
  id: (a, b) => book.ids[a.i].localeCompare(book.ids[b.i], undefined, { numeric: true }),
  slow: (a, b) => Math.max(...b.hits.map(r => book.lat[r][b.i])) - Math.max(...a.hits.map(r => book.lat[r][a.i])),
  dear: (a, b) => Math.max(...b.hits.map(r => priceOf(r, b.i))) - Math.max(...a.hits.map(r => priceOf(r, a.i))),
  points: (a, b) => b.hits.reduce((n, r) => n + points(r, b.i), 0) - a.hits.reduce((n, r) => n + points(r, a.i), 0),
};

// likeTogether puts the most costly groups of similar failures first and what
// passed last.
const likeTogether = list => {
  const rank = new Map(groups.map((g, n) => [g.at, n]));
  const key = ({ i, hits }) => Math.min(...hits.map(r => book.c[r][i].length ? rank.get(book.causes[book.c[r][i][0]].in[byAt()]) ?? 1e9 : 1e9));
  return list.map(c => [key(c), c]).sort((a, b) => a[0] - b[0]).map(c => c[1]);
};

// refresh filters, counts and lists.
const refresh = () => {
  performance.mark('filter');
  searchTrouble = '';
  found = filterCases(state);
  groups = groupsOf(found);
  const order = orders[state.sort];
  if (order) found.sort(order);
  else if (state.sort === undefined) found = likeTogether(found);
  listed = 0;
  $('list').replaceChildren();
  const bad = groups.reduce((n, g) => n + g.n, 0);
  let text = found.length + ' of ' + book.ids.length + ' cases';
  const results = found.reduce((n, c) => n + c.hits.length, 0);
  if (bad) text += '; ' + bad + ' of ' + results + (results === 1 ? ' result' : ' results') + ' failed';
  if (state.q && deep === 'reading') text += '; the answers are still being read';
  $('count').textContent = searchTrouble || text;
  more();
  showGroups();
  showMatrix();
  performance.measure('filtering', 'filter');
};

const option = (value, text) => make('option', { value, text });

const startFilters = () => {
  const cats = $('f-category');
  for (const name of Object.keys(book.groups)) if (book.groups[name].length > 1) cats.append(option(name, book.groupTitles[name] || name));
  cats.append(make('hr'));
  book.cats.forEach(name => cats.append(option(name, name)));
  const count = {};
  book.c.forEach(run => run.forEach(list => list.forEach(c => { count[book.causes[c].k] = (count[book.causes[c].k] || 0) + 1; })));
  book.kinds.map((k, n) => [k, n]).sort((a, b) => (count[b[1]] || 0) - (count[a[1]] || 0)).forEach(([k, n]) => $('f-cause').append(option(k, book.titles[n])));
  [...new Set(book.causes.map(c => c.fn || ''))].filter(Boolean).sort().forEach(fn => $('f-fn').append(option(fn, fn)));
  Object.keys(book.tags).sort().forEach(t => $('f-tag').append(option(t, t)));
  $('f-tag').parentElement.hidden = Object.keys(book.tags).length === 0;
  [...book.types].sort().forEach(t => $('f-type').append(option(t, t)));
};

const empty = ''; // of a select that does not filter

// showFilters puts the state into the controls and the chips.
const showFilters = () => {
  $('q').value = state.q || '';
  $('re').checked = state.re !== undefined;
  for (const key of ['run', 'category', 'tag', 'verdict', 'cause', 'fn', 'type', 'among', 'sort']) {
    const select = $('f-' + key), value = state[key] ?? empty;
    if (value && ![...select.options].some(o => o.value === value)) select.append(option(value, value));
    select.value = value;
  }
  $('by').value = state.by || 'cause';
  if ($('m-run')) $('m-run').value = state.run || '';
  const names = { q: 'search', par: 'parameter', got: 'got', level: 'did not reach', fn: 'function', type: 'error type', among: 'subset', re: '' };
  const words = { level: n => book.levels[+n] || n, cause: k => book.titles[book.kinds.indexOf(k)] || k, verdict: v => ({ failed: 'failed or no answer' })[v] || v };
  const chips = filters.filter(k => state[k] !== undefined && k !== 're').map(k => make('button', { type: 'button', 'data-clear': k }, make('span', { class: 'hush', text: 'Remove the filter ' }),
    make('span', { text: (names[k] ?? k) + ': ' + (state[k] === '' ? 'none' : (words[k]?.(state[k]) ?? state[k])) }), make('span', { text: ' ✕', 'aria-hidden': 'true' })));
  if (chips.length > 1) chips.push(make('button', { type: 'button', 'data-clear': '*', text: 'Clear all' }));
  $('chips').replaceChildren(...chips);
};

const startCases = () => {
  const seen = new Set();
  book.many = new Set(book.ids.filter(id => seen.size === seen.add(id).size));
  startFilters();
  let timer;
  const typed = () => go({ q: $('q').value || undefined, re: $('re').checked && $('q').value ? '1' : undefined }, true);
  $('q').addEventListener('input', () => { deepen(); clearTimeout(timer); timer = setTimeout(typed, 120); });
  $('q').addEventListener('focus', deepen);
  $('re').addEventListener('change', typed);
  for (const key of ['run', 'category', 'tag', 'verdict', 'cause', 'fn', 'type', 'among', 'sort']) {
    $('f-' + key).addEventListener('change', e => {
      const change = { [key]: e.target.value || undefined };
      if (key === 'cause' || key === 'fn') change.par = change.got = undefined;
      go(change);
    });
  }
  $('m-run')?.addEventListener('change', e => go({ run: e.target.value || undefined }));
  $('filter').addEventListener('submit', e => { e.preventDefault(); typed(); });
  $('more').addEventListener('click', more);
  $('chips').addEventListener('click', e => {
    const key = e.target.closest('[data-clear]')?.dataset.clear;
    if (!key) return;
    const change = {};
    for (const k of key === '*' ? filters : [key]) change[k] = undefined;
    if (key === 'q') change.re = undefined;
    go(change);
    $('count').focus?.();
  });
};
