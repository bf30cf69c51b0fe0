// What can be taken away: the link, the command, a request, the case as JSON.
const say = text => { $('said').textContent = text; };
const copy = async (text, what) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // not allowed here: use the old way
    const area = make('textarea', { 'aria-label': what });
    area.value = text;
    $('body').append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  say('Copied: ' + what + '.');
};

const shellWord = s => /^[\w@%+=:,./-]+$/.test(s) ? s : "'" + s.replaceAll("'", "'\\''") + "'";
const runOfCase = () => {
  const r = runAt();
  return r >= 0 && book.v[r][current] !== '-' ? r : Math.max(0, book.v.findIndex(v => v[current] !== '-' && v[current] !== 'p'));
};
const command = () => {
  const path = shellWord(book.path[runOfCase()]), id = shellWord(nameOf(current));
  return shownCase.runs.some(list => list?.some(a => a.talk)) ? 'bfcl trace ' + path + ' ' + id : 'bfcl judge --id ' + id + ' --run ' + path;
};

// schema is a function document as Chat Completions takes it.
const jsonTypes = { dict: 'object', float: 'number', double: 'number', long: 'integer', tuple: 'array', any: 'string' };
const schema = v => {
  if (Array.isArray(v)) return v.map(schema);
  if (v === null || typeof v !== 'object') return v;
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, k === 'type' && typeof x === 'string' ? jsonTypes[x] || x : schema(x)]));
};
const request = async () => {
  const docs = (await toolTexts(shownCase.tools)).map(parsed).filter(Boolean);
  const tools = docs.map(d => ({ type: 'function', function: { name: d.name.replaceAll('.', '_'), description: d.description, parameters: schema(d.parameters) } }));
  const body = { model: book.runs[runOfCase()], messages: (shownCase.turns[0] || []).map(m => ({ role: m.role, content: m.content })), tools };
  return '# The case\'s ' + (shownCase.turns.length > 1 ? 'first turn' : 'question') + ' with its functions as Chat Completions takes them.\n' +
    'curl "$OPENAI_BASE_URL/chat/completions" \\\n  -H "Authorization: Bearer $OPENAI_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d ' + shellWord(JSON.stringify(body)) + '\n';
};

const asJSON = async () => {
  const i = current;
  const tools = (await toolTexts([...(shownCase.tools || []), ...(shownCase.later || [])])).map(t => parsed(t) ?? t);
  const runs = book.runs.map((name, r) => ({ run: name, verdict: words[book.v[r][i]], error_type: book.types[book.e[r][i]], causes: book.c[r][i].map(c => ({ cause: book.kinds[book.causes[c].k], function: book.causes[c].fn, parameter: book.causes[c].par, want: book.causes[c].want, got: book.causes[c].got })), answers: shownCase.runs[r] }));
  const { turns, want, expect, answer, scene } = shownCase;
  return JSON.stringify({ id: book.ids[i], category: book.cats[book.cat[i]], turns, tools, accepted: want || answer, expected: expect, state: scene, erratum: book.errata[i], runs }, null, 2) + '\n';
};

const startTake = () => {
  $('copy-link').addEventListener('click', () => copy(location.href, 'the link'));
  $('copy-command').addEventListener('click', () => shownCase && copy(command(), command()));
  $('copy-curl').addEventListener('click', async () => shownCase && copy(await request(), 'a request as curl'));
  $('save').addEventListener('click', async () => {
    if (!shownCase) return;
    const url = URL.createObjectURL(new Blob([await asJSON()], { type: 'application/json' }));
    const a = make('a', { href: url, download: book.ids[current].replace(/[^\w.-]/g, '_') + '.json' });
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    say('Saved ' + a.download + '.');
  });
};
