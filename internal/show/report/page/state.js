// The address says what is shown: #cases&category=…&cause=…&case=….
// These of its keys filter; an empty value of fn, par and got means none.
const filters = ['q', 're', 'run', 'category', 'tag', 'verdict', 'cause', 'fn', 'par', 'got', 'type', 'level', 'among'];
let state = {};

const readState = hash => {
  const out = {};
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    if (at < 0) { if (part) out.at = part; continue; }
    const raw = part.slice(at + 1).replaceAll('+', ' ');
    try { out[part.slice(0, at)] = decodeURIComponent(raw); } catch { out[part.slice(0, at)] = raw; }
  }
  return out;
};

const address = s => {
  const { at, ...rest } = s;
  const parts = Object.entries(rest).filter(([, v]) => v !== undefined).map(([k, v]) => k + '=' + encodeURIComponent(v));
  if (at || parts.length) parts.unshift(at || 'cases');
  return '#' + parts.join('&');
};

// go changes the state, as a step of the history or in place of the last one.
const go = (change, replace) => {
  const next = { ...state, ...change };
  for (const key of Object.keys(next)) if (next[key] === undefined) delete next[key];
  const url = address(next);
  if (url === location.hash) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', url === '#' ? location.pathname + location.search : url);
  apply(next);
};

// apply shows a state.
let shownFilter = null;
const apply = next => {
  state = next;
  const key = JSON.stringify([...filters, 'sort', 'by'].map(k => state[k]));
  if (key !== shownFilter) {
    shownFilter = key;
    showFilters();
    refresh();
  }
  showPair();
  showCase();
};

const jump = id => { if (id) document.getElementById(id)?.scrollIntoView(); };

const startState = () => {
  window.addEventListener('hashchange', () => apply(readState(location.hash)));
  document.addEventListener('click', e => {
    const a = e.target.closest?.('a[href^="#"]');
    if (!a || e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    const next = readState(a.getAttribute('href'));
    e.preventDefault();
    if (Object.keys(next).length === 1 && next.at) { // a section: what is filtered stays
      go({ at: next.at, case: undefined, turn: undefined }, true);
      jump(next.at);
      return;
    }
    const keep = next.case === undefined ? { sort: state.sort, by: next.by || state.by, from: state.from, to: state.to } : {};
    const whole = next.case !== undefined ? { ...state, ...next } : { ...keep, ...next };
    const url = address(whole);
    if (url !== location.hash) {
      history.pushState(null, '', url);
      apply(readState(url));
    }
    if (next.case === undefined) jump('cases');
  });
  apply(readState(location.hash));
  jump(state.at && document.getElementById(state.at) ? state.at : Object.keys(state).some(k => k !== 'from' && k !== 'to') ? 'cases' : '');
};
