let current = -1;

const block = (title, text, cls) => text ? make('div', {}, make('h4', { text: title }), make('pre', { class: cls || '', text, tabindex: '0', role: 'region', 'aria-label': title })) : null;

const fold = (title, ...children) => make('details', {}, make('summary', { text: title }), ...children);

const diff = text => {
  if (!text) return null;
  const pre = make('pre', { tabindex: '0', role: 'region', 'aria-label': 'Difference' });
  for (const line of text.split('\n')) {
    const mark = line[0];
    pre.append(make('span', { class: 'diff' + (mark === '-' ? ' del' : mark === '+' ? ' add' : ''), text: line || ' ' }));
  }
  return make('div', {}, make('h4', { text: 'Difference of the first call (− accepted, + got)' }), pre);
};

const said = m => make('div', { class: 'msg ' + (['user', 'assistant', 'tool', 'system'].includes(m.role) ? m.role : 'other') },
  make('b', { text: m.role + (m.turn ? ', turn ' + m.turn : '') + (m.step ? ', step ' + m.step : '') }),
  make('pre', { text: m.text, tabindex: '0' }));

const result = (a, n, many) => {
  const facts = [];
  if (many) facts.push('trial ' + (n + 1));
  if (a.lat) facts.push(a.lat);
  if (+a.in || +a.out) facts.push((a.in || 0) + ' tokens in, ' + (a.out || 0) + ' out');
  const box = make('div', {});
  if (facts.length) box.append(make('p', { class: 'meta', text: facts.join(' · ') }));
  if (a.why) box.append(make('p', { class: 'why', dir: 'auto', text: a.why }));
  const parts = [diff(a.diff), make('div', { class: 'pair' }, block('Answer as written', a.raw), block('Answer as read', a.dec))];
  if (a.talk) parts.push(make('h4', { text: 'Conversation' }), ...a.talk.map(said));
  if (a.think) parts.push(fold('Reasoning', make('pre', { text: a.think, tabindex: '0' })));
  if (a.text) parts.push(fold('All that the judge said', make('pre', { text: a.text, tabindex: '0' })));
  box.append(...parts.filter(Boolean));
  return box;
};

const runBox = (r, answers, i) => {
  const v = book.v[r][i], type = answers.map(a => a.t).find(Boolean);
  const summary = make('summary', {}, sign(v, book.runs[r]), make('b', { text: book.runs[r] }), type ? make('code', { text: type }) : null);
  const box = make('details', { class: 'run' }, summary);
  let built = false;
  const build = () => { if (!built) { built = true; box.append(...answers.map((a, n) => result(a, n, answers.length > 1))); } };
  box.addEventListener('toggle', () => box.open && build());
  box.build = () => { build(); box.open = true; };
  return box;
};

const toolText = async list => {
  const texts = [];
  for (const t of list) texts.push((await chunk(book.toolChunk[t]))[book.toolPlace[t]]);
  return texts.join('\n\n');
};

const tools = (title, list) => {
  if (!list?.length) return null;
  const pre = make('pre', { tabindex: '0' });
  const box = fold(title + ' (' + list.length + ')', pre);
  box.addEventListener('toggle', async () => { if (box.open && !pre.textContent) pre.textContent = await toolText(list); });
  return box;
};

const show = (i, d) => {
  const parts = [make('p', { class: 'meta', text: book.cats[book.cat[i]] })];
  const asked = d.turns.flatMap((turn, n) => turn.map(m => said({ role: m.role, text: m.text, turn: d.turns.length > 1 ? n + 1 : 0 })));
  if (d.turns.length > 1) parts.push(fold('Questions of ' + d.turns.length + ' turns', ...asked));
  else parts.push(...asked);
  parts.push(tools('Tools', d.tools), tools('Tools of later turns', d.later));
  if (d.scene) parts.push(fold('Initial state', make('pre', { text: d.scene, tabindex: '0' })));
  parts.push(d.turns.length > 1 ? d.answer && fold('Expected', make('pre', { text: d.answer, tabindex: '0' })) : block('Expected', d.answer));
  parts.push(make('h3', { text: 'Answers' }));
  const boxes = d.runs.map((answers, r) => answers?.length ? runBox(r, answers, i) : null);
  parts.push(...boxes);
  $('body').replaceChildren(...parts.filter(Boolean));
  const run = $('f-run').value;
  const first = run !== '' && boxes[+run] ? boxes[+run] : boxes.find((b, r) => b && book.v[r][i] !== 'p') || boxes.find(Boolean);
  first?.build();
};

const open = async i => {
  current = i;
  $('case-h').textContent = book.ids[i];
  $('body').replaceChildren(make('p', { class: 'meta', text: 'Unpacking…' }));
  if (!$('case').open) $('case').showModal();
  $('case').scrollTop = 0;
  $('case-h').focus();
  history.replaceState(null, '', '#case=' + encodeURIComponent(book.ids[i]));
  const d = (await chunk(book.chunk[i]))[book.place[i]];
  if (current === i) show(i, d);
};

// step goes to a neighbour in the filtered list.
const step = by => {
  const at = found.indexOf(current);
  const next = found[(at < 0 ? 0 : at + by + found.length) % found.length];
  if (next !== undefined) open(next);
};

const openFromAddress = () => {
  const id = location.hash.match(/^#case=(.*)$/)?.[1];
  if (!id) return;
  let name = id;
  try { name = decodeURIComponent(id); } catch { /* take it as it is */ }
  const i = book.ids.indexOf(name);
  if (i >= 0 && i !== current) open(i);
};

const startDetail = () => {
  $('close').addEventListener('click', () => $('case').close());
  $('prev').addEventListener('click', () => step(-1));
  $('next').addEventListener('click', () => step(1));
  $('case').addEventListener('close', () => { current = -1; history.replaceState(null, '', location.pathname + location.search); });
  $('case').addEventListener('click', e => { if (e.target === $('case')) $('case').close(); });
  $('case').addEventListener('keydown', e => {
    if (e.target.closest('pre')) return;
    if (e.key === 'ArrowLeft') step(-1);
    if (e.key === 'ArrowRight') step(1);
  });
  window.addEventListener('hashchange', openFromAddress);
  openFromAddress();
};
