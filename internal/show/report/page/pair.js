// Two runs beside each other: the comparison was made with the page, the cases
// are listed here.
const flipPage = 50;

// flipLists fill the lists of cases below each cause once they are opened.
const flipLists = (box, pair) => {
  for (const el of box.querySelectorAll('details[data-group]')) {
    const run = +el.dataset.run, cases = pair.flips.filter(f => f[1] === +el.dataset.group && f[2] === run).map(f => f[0]);
    const list = make('ol', { class: 'plain' }), button = make('button', { type: 'button', text: 'Show more' });
    let shown = 0;
    const next = () => {
      list.append(...cases.slice(shown, shown + flipPage).map(i => item(i, [run], [pair.a, pair.b])));
      shown = Math.min(cases.length, shown + flipPage);
      button.hidden = shown === cases.length;
      button.textContent = 'Show ' + Math.min(flipPage, cases.length - shown) + ' more';
    };
    button.addEventListener('click', next);
    el.querySelector('.first')?.remove();
    el.append(list, button);
    el.addEventListener('toggle', () => { if (el.open && !shown) next(); });
  }
};

// showPair shows the two runs that the state names.
let shownPair = '';
const showPair = async () => {
  const box = $('pair');
  if (!box) return;
  const a = book.runs.indexOf(state.from), b = book.runs.indexOf(state.to);
  for (const pick of document.querySelectorAll('.pick')) pick.checked = +pick.value === a || +pick.value === b;
  let at = a >= 0 && b >= 0 && a !== b ? book.pairs.find(p => p[0] === a && p[1] === b) : null;
  if (!at && book.runs.length === 2) at = book.pairs[0]; // the first run given is A
  const key = at ? at.join() : '';
  $('answer').hidden = !at;
  if ($('choose')) {
    $('choose').textContent = at ? 'The change from ' + book.short[at[0]] + ' to ' + book.short[at[1]] + ' is above.' :
      a >= 0 && b >= 0 && a !== b ? 'These two runs have no case in common, or are not among those that this page compares.' : 'Choose two runs to see what changed.';
  }
  if (key === shownPair || !at) return;
  shownPair = key;
  const pair = (await chunk(at[2]))[at[3]];
  if (shownPair !== key) return;
  box.innerHTML = pair.html; // by the page's own template, which escapes every text
  flipLists(box, pair);
  $('swap').addEventListener('click', e => go({ from: e.target.dataset.from, to: e.target.dataset.to }, true));
};

const startPair = () => {
  const picked = [];
  for (const pick of document.querySelectorAll('.pick')) {
    pick.addEventListener('change', () => {
      const at = +pick.value, there = picked.indexOf(at);
      if (there >= 0) picked.splice(there, 1);
      if (pick.checked) picked.push(at);
      if (picked.length > 2) picked.shift();
      const two = picked.length === 2;
      const [a, b] = picked; // A is the one that was chosen first
      go({ at: two ? 'answer' : state.at, from: two ? book.runs[a] : undefined, to: two ? book.runs[b] : undefined }, true);
      for (const other of document.querySelectorAll('.pick')) other.checked = picked.includes(+other.value);
    });
  }
};
