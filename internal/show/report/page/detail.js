let current = -1, shownCase = null, openRuns = new Set();

const region = (title, pre) => { pre.setAttribute('tabindex', '0'); pre.setAttribute('role', 'region'); pre.setAttribute('aria-label', title); return pre; };
const block = (title, text) => text ? make('div', {}, make('h4', { text: title }), region(title, make('pre', { text }))) : null;
const fold = (title, ...children) => make('details', {}, make('summary', { text: title }), ...children);
const folded = (title, text) => text ? fold(title, region(title, make('pre', { text }))) : null;

const message = m => make('div', { class: 'msg ' + (['user', 'assistant', 'tool', 'system'].includes(m.role) ? m.role : 'other') },
  make('b', { text: m.role }), region(m.role, make('pre', { text: m.content })));

// accepted takes a possible answer apart: a list of values, with "" if it may
// be left out.
const accepted = text => {
  let list;
  try { list = JSON.parse(text); } catch { return { text }; }
  if (!Array.isArray(list)) return { text };
  const values = list.filter(v => v !== '');
  return { optional: values.length < list.length, text: values.length === 1 ? JSON.stringify(values[0]) : JSON.stringify(values) };
};

// beside is an expected call and the call that was made, parameter by
// parameter.
const beside = (want, got, p) => {
  const head = make('tr', {}, make('th', { scope: 'col', text: 'parameter' }), make('th', { scope: 'col', text: 'accepted' }), make('th', { scope: 'col', text: 'got' }), make('th', { scope: 'col', text: '' }));
  const names = [...new Set([...(want?.a || []).map(a => a[0]), ...(got?.a || []).map(a => a[0])])];
  const of = (c, name) => c?.a?.find(a => a[0] === name)?.[1];
  const rows = names.map(name => {
    const wants = of(want, name), gets = of(got, name), bad = p.other || !want || !got ? '' : p.bad?.[name];
    const a = wants === undefined ? null : accepted(wants);
    return make('tr', { class: bad ? 'bad' : '' }, make('th', { scope: 'row' }, make('code', { text: name })),
      make('td', {}, a ? make('code', { text: a.text }) : make('span', { class: 'meta', text: 'not known' }), a?.optional ? make('small', { text: 'or left out' }) : null),
      make('td', {}, gets === undefined ? make('span', { class: 'meta', text: got ? 'left out' : '' }) : make('code', { class: bad ? 'del' : '', text: gets })),
      make('td', { class: 'mark', text: bad || (want && got && !p.other ? '✓' : '') }));
  });
  const title = !got ? 'not made: ' + want.n : !want ? 'not wanted: ' + got.n : p.other ? 'wanted ' + want.n + ', got ' + got.n : got.n;
  const box = make('div', { class: 'beside' + (!got || !want || p.other ? ' bad' : '') }, make('h4', {}, make('code', { text: title })));
  if (rows.length) box.append(make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title }, make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows))));
  return box;
};

const callLine = c => c.a ? c.n + '(' + c.a.map(([k, v]) => k + '=' + v).join(', ') + ')' : c.n;

// sides are the runs that stand as A and B, in this order; none if no two are compared.
const sides = () => shownPair ? shownPair.split(',').slice(0, 2).map(Number) : [];

const result = (a, n, many, d, r, i) => {
  const facts = [];
  if (many) facts.push('trial ' + (n + 1));
  if (a.t) facts.push(a.t);
  const lat = a.lat || many ? a.lat : seconds(book.lat[r][i]);
  if (lat) facts.push(lat);
  const price = a.cost || !many && priceText(r, i);
  if (price) facts.push(price);
  if (+a.in || +a.out) facts.push((a.in || 0) + ' tokens in, ' + (a.out || 0) + ' out');
  const box = make('div', {});
  if (facts.length) box.append(make('p', { class: 'meta', text: facts.join(' · ') }));
  const why = a.why || (!many && a.s !== 'pass' && book.why[r][i]);
  if (why) box.append(make('p', { class: 'why', dir: 'auto', text: why }));
  const parts = [];
  if (a.pairs?.length) parts.push(...a.pairs.map(p => beside(d.want?.[p.w], a.calls?.[p.m], p)));
  else if (a.calls) parts.push(block(a.calls.length ? 'Calls made' : 'No call was made', a.calls.map(callLine).join('\n')));
  if (a.un) parts.push(make('p', { class: 'meta', text: 'No calls could be read: ' + a.un }));
  parts.push(a.calls?.length ? folded('Answer as written', a.raw) : block('Answer as written', a.raw));
  if (a.notes) parts.push(...a.notes.map(text => make('p', { class: 'meta', text })));
  if (a.talk) parts.push(...talk(a, d));
  parts.push(folded('Reasoning', a.think), folded('Full text of the verdict', a.text));
  box.append(...parts.filter(Boolean));
  return box;
};

const runBox = (r, answers, i, d) => {
  const side = sides().indexOf(r);
  const summary = make('summary', {}, side < 0 ? null : make('b', { class: 'side', text: 'AB'[side] }), sign(book.v[r][i], book.runs[r]), make('b', { text: book.short[r], title: book.runs[r] }), ...book.c[r][i].slice(0, 1).map(c => make('span', { text: causeText(book.causes[c]) })));
  const box = make('details', { class: 'run', 'data-r': r }, summary);
  let built = false;
  const build = () => { if (!built) { built = true; box.append(...answers.map((a, n) => result(a, n, answers.length > 1, d, r, i))); } };
  box.addEventListener('toggle', () => { if (box.open) build(); });
  box.build = () => { build(); box.open = true; };
  return box;
};

const toolTexts = async list => {
  const texts = [];
  for (const t of list || []) texts.push((await chunk(book.toolChunk[t]))[book.toolPlace[t]]);
  return texts;
};
const parsed = text => { try { return JSON.parse(text); } catch { return null; } };

// usedTools are the names of functions that were wanted or called.
const usedTools = d => {
  const names = new Set();
  const add = name => { names.add(name); names.add(name.replaceAll('.', '_')); };
  (d.want || []).forEach(c => add(c.n));
  (d.expect || []).flat().forEach(c => add(c.call.split('(')[0]));
  d.runs.flat().forEach(a => a?.calls?.forEach(c => add(c.n)));
  return names;
};

const toolBoxes = async (d, box) => {
  const used = usedTools(d), texts = await toolTexts([...(d.tools || []), ...(d.later || [])]);
  const boxes = texts.map(text => {
    const name = text.match(/"name": ?"([^"]*)"/)?.[1] || 'function';
    const tool = folded(name, text);
    tool.open = used.has(name) || used.has(name.replaceAll('.', '_'));
    return tool;
  });
  boxes.sort((a, b) => b.open - a.open);
  const many = d.turns.length > 1; // the simulators' tools are many
  if (many) boxes.forEach(b => { b.open = false; });
  box.append(...boxes);
};

const show = (i, d) => {
  shownCase = d;
  const parts = [make('p', { class: 'meta', text: book.cats[book.cat[i]] })];
  if (book.errata[i]) parts.push(make('p', { class: 'why', text: 'Known erratum, ' + book.errata[i] }));
  const grid = make('div', { class: 'columns' });
  const boxes = d.runs.map((answers, r) => answers?.length ? runBox(r, answers, i, d) : null);
  // A and B, then the chosen run, those that fail, and the others.
  const place = r => sides().includes(r) ? sides().indexOf(r) - 2 : r === runAt() ? 0 : book.v[r][i] === 'p' ? 2 : 1;
  const order = [...boxes.keys()].filter(r => boxes[r]).sort((x, y) => place(x) - place(y) || x - y);
  grid.append(...order.map(r => boxes[r]));
  if (d.turns.length <= 1) parts.push(...d.turns.flat().map(message));
  if (d.want && !d.runs.some(answers => answers?.some(a => a.pairs?.length))) parts.push(block('Expected', d.want.map(callLine).join('\n')));
  parts.push(grid);
  const tools = fold('Tools (' + ((d.tools?.length || 0) + (d.later?.length || 0)) + ')');
  if (d.scene) parts.push(folded('Initial state', d.scene));
  parts.push(tools);
  if (d.answer) parts.push(block('Accepted', d.answer));
  $('body').replaceChildren(...parts.filter(Boolean));
  // Of many runs the first is open, and beside it one that did otherwise.
  const pass = r => book.v[r][i] === 'p', [first] = order;
  const other = sides().length ? order[1] : order.find(r => pass(r) !== pass(first)) ?? order[1];
  for (const r of order.length > 2 ? [first, other] : order) boxes[r].build();
  if (order.length > 2 && other !== order[1]) boxes[first].after(boxes[other]);
  sameTurn();
  toolBoxes(d, tools).catch(console.error);
  if (d.turns.length <= 1) tools.open = (d.tools?.length || 0) + (d.later?.length || 0) <= 4;
  showTurn();
};

// showCase opens the case that the state names, or closes it.
const showCase = async () => {
  const box = $('case');
  if (state.case === undefined) {
    current = -1;
    if (box.open) box.close();
    return;
  }
  const i = caseAt(state.case);
  if (i === current && box.open) { showTurn(); return; }
  current = i;
  shownCase = null;
  $('said').textContent = '';
  $('case-h').textContent = i < 0 ? 'No such case' : book.ids[i];
  $('copies').hidden = i < 0;
  $('body').replaceChildren(make('p', { class: i < 0 ? 'why' : 'meta', text: i < 0 ? 'This page has no case “' + state.case + '”. It may be from another dataset or from a part that was not run.' : 'Unpacking…' }));
  if (!box.open) box.showModal();
  box.scrollTop = 0;
  $('case-h').focus();
  if (i < 0) return;
  const d = (await chunk(book.chunk[i]))[book.place[i]];
  if (current === i) show(i, d);
};

// step goes to a neighbour in the filtered list.
const step = by => {
  const at = found.findIndex(c => c.i === current);
  const next = found[(at < 0 ? 0 : at + by + found.length) % found.length];
  if (next !== undefined) go({ case: nameOf(next.i), turn: undefined }, true);
};

const startDetail = () => {
  const box = $('case');
  $('close').addEventListener('click', () => box.close());
  $('prev').addEventListener('click', () => step(-1));
  $('next').addEventListener('click', () => step(1));
  box.addEventListener('close', () => {
    const i = current;
    if (state.case !== undefined) go({ case: undefined, turn: undefined });
    if (!typing(document.activeElement)) document.querySelector('[data-case="' + i + '"]')?.focus({ preventScroll: true });
  });
  box.addEventListener('click', e => { if (e.target === box) box.close(); });
  box.addEventListener('keydown', e => {
    if (e.target.closest('pre, input, .scroll') || e.altKey || e.ctrlKey || e.metaKey) return;
    if (e.key === 'ArrowLeft') step(-1);
    if (e.key === 'ArrowRight') step(1);
  });
  startTake();
};
