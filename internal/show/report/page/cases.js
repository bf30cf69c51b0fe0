const page = 100;
let found = [], listed = 0;

const fill = (select, names) => {
  names.map((name, i) => [name, i]).sort((a, b) => a[0].localeCompare(b[0]))
    .forEach(([name, i]) => select.append(make('option', { value: i, text: name })));
};

// matches tells whether a case passes the filters; those on verdict and error
// type hold for the chosen run, or for any.
const matches = (i, f) => {
  if (f.cat !== '' && book.cat[i] !== +f.cat) return false;
  if (f.q && !book.search[i].includes(f.q)) return false;
  if (f.verdict === 'd') {
    const seen = new Set(book.v.map(v => v[i]).filter(v => v !== '-'));
    if (seen.size < 2) return false;
  }
  const runs = f.run === '' ? book.runs.keys() : [+f.run];
  if (f.verdict === 'd' && f.type === '') return f.run === '' || book.v[+f.run][i] !== '-';
  for (const r of runs) {
    if (book.v[r][i] === '-') continue;
    if (f.verdict !== '' && f.verdict !== 'd' && book.v[r][i] !== f.verdict) continue;
    if (f.type !== '' && book.e[r][i] !== +f.type) continue;
    return true;
  }
  return false;
};

const item = (i, runs, note) => {
  const marks = make('span', { class: 'marks' }, ...runs.map(r => sign(book.v[r][i], book.runs[r])));
  const button = make('button', { type: 'button', class: 'item', 'data-case': i },
    make('code', { text: book.ids[i] }), make('span', { class: note ? 't' : 'q', dir: 'auto', text: note || book.q[i] }), marks);
  return make('li', {}, button);
};

const more = () => {
  const run = $('f-run').value, runs = run === '' ? [...book.runs.keys()] : [+run];
  const next = found.slice(listed, listed + page);
  $('list').append(...next.map(i => item(i, runs)));
  listed += next.length;
  $('more').hidden = listed >= found.length;
  $('more').textContent = 'Show ' + Math.min(page, found.length - listed) + ' more';
};

const filter = () => {
  const f = { q: $('q').value.trim().toLowerCase(), run: $('f-run').value, cat: $('f-cat').value, verdict: $('f-verdict').value, type: $('f-type').value };
  found = [];
  for (let i = 0; i < book.ids.length; i++) if (matches(i, f)) found.push(i);
  listed = 0;
  $('list').replaceChildren();
  $('count').textContent = found.length + ' of ' + book.ids.length + ' cases';
  more();
};

const startCases = () => {
  book.search = book.ids.map((id, i) => (id + ' ' + book.q[i]).toLowerCase());
  fill($('f-cat'), book.cats);
  fill($('f-type'), book.types);
  let timer;
  $('q').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
  for (const id of ['f-run', 'f-cat', 'f-verdict', 'f-type']) $(id).addEventListener('change', filter);
  $('filter').addEventListener('submit', e => { e.preventDefault(); filter(); });
  $('more').addEventListener('click', more);
  document.addEventListener('click', e => {
    const button = e.target.closest?.('[data-case]');
    if (button) open(+button.dataset.case);
  });
  filter();
};
