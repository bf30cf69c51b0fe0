startTheme();
startBoard();
whole.then(() => {
  if (!$('end')) document.querySelector('main').prepend(make('p', { class: 'warnings', role: 'alert', text: 'This page is cut off, so some cases cannot be shown. Copy or download it again.' }));
});
if (!('DecompressionStream' in window)) {
  $('count').textContent = 'This browser cannot unpack the cases. Use a browser from 2023 or later.';
} else {
  unpack($('index')).then(index => {
    book = index;
    startCases();
    startGroups();
    startDetail();
    startPair();
    startKeys();
    startState();
    document.documentElement.dataset.ready = '1';
    performance.mark('ready');
  }).catch(e => {
    $('count').textContent = 'The cases could not be unpacked: ' + e.message;
    console.error(e);
  });
}
