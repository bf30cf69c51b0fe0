const flipPage = 50;

// flipGroups groups flips by cause, the largest group first.
const flipGroups = (cases, run) => {
  const at = new Map();
  for (const i of cases) {
    const c = book.causes[book.c[run][i][0]], key = c ? c.in[0] : -1;
    if (!at.has(key)) at.set(key, []);
    at.get(key).push(i);
  }
  return [...at].sort((x, y) => y[1].length - x[1].length);
};

const flipGroup = ([key, cases], a, b, run) => {
  const list = make('ol', { class: 'plain' }), button = make('button', { type: 'button', text: 'Show more' });
  let shown = 0;
  const next = () => {
    list.append(...cases.slice(shown, shown + flipPage).map(i => item(i, [run], [a, b])));
    shown = Math.min(cases.length, shown + flipPage);
    button.hidden = shown === cases.length;
    button.textContent = 'Show ' + Math.min(flipPage, cases.length - shown) + ' more';
  };
  button.addEventListener('click', next);
  const box = make('details', {}, make('summary', { text: cases.length + ' ' + (key >= 0 ? titleOf(key) : 'without a cause') }), list, button);
  box.addEventListener('toggle', () => { if (box.open && !shown) next(); });
  return box;
};

const flips = () => {
  const a = +$('flip-a').value, b = +$('flip-b').value, lost = [], won = [];
  let both = 0;
  for (let i = 0; i < book.ids.length; i++) {
    if (book.originals[i] !== undefined) continue;
    const x = book.v[a][i], y = book.v[b][i];
    if (!'pf'.includes(x) || !'pf'.includes(y)) continue;
    both++;
    if (x === 'p' && y === 'f') lost.push(i);
    if (x === 'f' && y === 'p') won.push(i);
  }
  $('flip-sum').textContent = a === b ? 'Choose two runs.' :
    'Of ' + both + ' cases that both runs answered, ' + lost.length + ' newly failed and ' + won.length + ' newly passed.';
  const show = (box, title, cases, run) => {
    box.querySelector('summary').textContent = title + ': ' + cases.length;
    box.open = false;
    box.lastElementChild.replaceChildren(...flipGroups(cases, run).map(g => flipGroup(g, a, b, run)));
  };
  show($('flip-lost'), 'Newly failing', lost, b);
  show($('flip-won'), 'Newly passing, by previous failure', won, a);
};

const startFlips = () => {
  if (!$('flips')) return;
  const changed = () => { flips(); go({ from: book.runs[+$('flip-a').value], to: book.runs[+$('flip-b').value] }, true); };
  const name = (id, key) => { const at = book.runs.indexOf(state[key]); if (at >= 0) $(id).value = at; };
  const s = readState(location.hash);
  state = s;
  name('flip-a', 'from');
  name('flip-b', 'to');
  $('flip-a').addEventListener('change', changed);
  $('flip-b').addEventListener('change', changed);
  flips();
};
