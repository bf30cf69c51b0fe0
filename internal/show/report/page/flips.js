const mostFlips = 200;

const flips = () => {
  const a = +$('flip-a').value, b = +$('flip-b').value, lost = [], won = [];
  let both = 0;
  for (let i = 0; i < book.ids.length; i++) {
    const x = book.v[a][i], y = book.v[b][i];
    if (!'pf'.includes(x) || !'pf'.includes(y)) continue;
    both++;
    if (x === 'p' && y === 'f') lost.push(i);
    if (x === 'f' && y === 'p') won.push(i);
  }
  $('flip-sum').textContent = a === b ? 'Choose two runs.' :
    lost.length + ' cases newly fail and ' + won.length + ' newly pass, of ' + both + ' that both runs answered.';
  const show = (list, cases, run) => {
    list.replaceChildren(...cases.slice(0, mostFlips).map(i => item(i, [a, b], book.types[book.e[run][i]] || ' ')));
    if (cases.length > mostFlips) list.append(make('li', { class: 'meta', text: (cases.length - mostFlips) + ' more' }));
    if (!cases.length) list.append(make('li', { class: 'meta', text: 'none' }));
  };
  show($('flip-lost'), lost, b);
  show($('flip-won'), won, a);
};

const startFlips = () => {
  if (book.runs.length < 2) { $('flips').hidden = true; document.querySelector('nav a[href="#flips"]').hidden = true; return; }
  $('flip-a').addEventListener('change', flips);
  $('flip-b').addEventListener('change', flips);
  flips();
};
