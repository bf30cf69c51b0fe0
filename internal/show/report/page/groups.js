const titleOf = at => {
  const a = book.alike[at];
  return wordsOf(book.causes[a.c].k, a.is);
};

const groupings = ['cause', 'function', 'parameter'], firstGroups = 12;
let groups = [], allGroups = false;
const byAt = () => Math.max(0, groupings.indexOf(state.by));

// draw orders ids as if at random, in the same way as package cause: FNV-1a,
// mixed.
const drawn = new Map();
const draw = i => {
  let h = drawn.get(i);
  if (h === undefined) {
    h = 0x811c9dc5;
    for (const b of new TextEncoder().encode(book.ids[i])) h = Math.imul(h ^ b, 0x01000193) >>> 0;
    h = Math.imul(h ^ h >>> 16, 0x85ebca6b) >>> 0;
    h = (h ^ h >>> 13) >>> 0;
    drawn.set(i, h);
  }
  return h;
};

// groupsOf groups similar failures, the group that costs any run most first. What
// is lost is by run: runs' points do not add up.
const groupsOf = list => {
  const by = byAt(), at = new Map(), good = causeTest(state);
  for (const { i, hits } of list) {
    for (const r of hits) {
      for (const n of book.c[r][i]) {
        const c = book.causes[n];
        if (good && !good[n]) continue; // another trial's
        let g = at.get(c.in[by]);
        if (!g) at.set(c.in[by], g = { at: c.in[by], n: 0, lost: book.runs.map(() => 0), cats: new Map(), cases: new Set(), runs: new Set() });
        g.n++;
        if (book.v[r][i] !== 'e' && book.kinds[c.k] !== 'infrastructure') g.lost[r] += book.worth[r][book.cat[i]];
        g.cats.set(book.cat[i], (g.cats.get(book.cat[i]) || 0) + 1);
        g.cases.add(i);
        g.runs.add(r);
      }
    }
  }
  return [...at.values()].sort((a, b) => Math.max(...b.lost) - Math.max(...a.lost) || b.n - a.n || a.at - b.at);
};

// linkOf is a link that filters for a group and groups it more finely.
const linkOf = g => {
  const a = book.alike[g.at], c = book.causes[a.c], by = byAt();
  const want = { at: 'cases', q: state.q, re: state.re, run: state.run, category: state.category, verdict: state.verdict, among: state.among, type: state.type, level: state.level, sort: state.sort, cause: book.kinds[c.k] };
  if (by === 0 && a.got) want.got = a.got;
  if (by === 0 && !a.got) { want.fn = state.fn; want.par = state.par; want.got = state.got; }
  if (by > 0) want.fn = c.fn || '';
  if (by === 1) { want.par = state.par; want.got = state.got; }
  if (by === 2) { want.par = c.par || ''; want.got = c.got || ''; }
  want.by = groupings[Math.min(by + 1, 2)];
  return address(want);
};

// suspectRows say who may be to blame for a group beside the model, for each run
// that has cases in it.
const suspectRows = g => [...g.runs].sort((x, y) => x - y).filter(r => book.suspects[r][g.at]).map(r => make('tr', { class: 'suspect' }, make('td', { colspan: 6 },
  make('div', { dir: 'auto', text: (book.runs.length > 1 ? book.runs[r] + ': ' : '') + book.suspects[r][g.at] }))));

const groupRow = (g, sum) => {
  const where = [...g.cats].sort((x, y) => y[1] - x[1] || x[0] - y[0]);
  const cats = where.slice(0, 4).map(([c, n]) => book.cats[c] + ' ' + n).join(', ') + (where.length > 4 ? ', ' + (where.length - 4) + ' more' : '');
  const some = [...g.cases].sort((x, y) => draw(x) - draw(y) || x - y).slice(0, book.examples);
  const examples = make('td', { class: 'few' }, fold(some.length === g.cases.size ? 'all ' + some.length : some.length + ' of ' + g.cases.size,
    ...some.map(i => make('a', { href: address({ ...state, at: 'cases', case: nameOf(i) }), text: book.ids[i] }))));
  return make('tr', {},
    make('td', { class: 'num', text: g.n }), make('td', { class: 'num', text: (100 * g.n / sum).toFixed(1) + '%' }), make('td', { class: 'num', text: runsShown().map(r => g.lost[r].toFixed(2)).join(' · '), title: runsShown().map(r => book.runs[r]).join(' · ') }),
    make('th', { scope: 'row' }, make('a', { href: linkOf(g), text: titleOf(g.at) })),
    make('td', { text: cats }), examples);
};

const showGroups = () => {
  const sum = groups.reduce((n, g) => n + g.n, 0), shown = allGroups ? groups : groups.slice(0, firstGroups);
  $('groups').hidden = groups.length === 0;
  $('group-list').replaceChildren(...shown.flatMap(g => [groupRow(g, sum), ...suspectRows(g)]));
  $('more-groups').hidden = shown.length === groups.length;
  $('more-groups').textContent = 'Show all ' + groups.length + ' groups';
};

// showMatrix counts causes by category for the chosen run, the most frequent cause
// first.
let matrixOf = null;
const showMatrix = () => {
  if (!$('matrix') || matrixOf === (state.run ?? '')) return;
  matrixOf = state.run ?? '';
  const n = book.cats.map(() => new Array(book.kinds.length).fill(0)), sum = list => list.reduce((x, y) => x + y, 0);
  for (const r of runsShown()) book.c[r].forEach((list, i) => { for (const c of list) n[book.cat[i]][book.causes[c].k]++; });
  const most = Math.max(1, ...n.flat()), sums = book.kinds.map((_, k) => sum(n.map(row => row[k])));
  const kinds = [...sums.keys()].filter(k => sums[k]).sort((x, y) => sums[y] - sums[x]);
  const link = (text, which) => make('a', { href: address({ at: 'cases', run: state.run, ...which }), text });
  const head = (text, which) => make('th', { scope: 'col', class: 'num' }, link(text, which));
  const cell = (count, heat, which) => make('td', { class: 'num h' + (count && heat) }, count ? link(count, which) : null);
  $('matrix').tHead.rows[0].replaceChildren(make('th', { scope: 'col', text: 'Category' }), ...kinds.map(k => head(book.titles[k], { cause: book.kinds[k] })), head('all', { verdict: 'failed' }));
  $('matrix').tBodies[0].replaceChildren(...[...n.keys()].filter(c => sum(n[c])).map(c => {
    const category = book.cats[c], all = { category, verdict: 'failed' };
    return make('tr', { 'data-cat': category }, make('th', { scope: 'row' }, link(category, all)),
      ...kinds.map(k => cell(n[c][k], Math.min(5, 1 + Math.floor(5 * n[c][k] / most)), { category, cause: book.kinds[k] })), cell(sum(n[c]), 0, all));
  }));
};

const startGroups = () => {
  $('by').addEventListener('change', e => go({ by: e.target.value === 'cause' ? undefined : e.target.value }));
  $('more-groups').addEventListener('click', () => { allGroups = true; showGroups(); });
};
