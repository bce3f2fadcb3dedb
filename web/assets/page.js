// The little that the page does by itself: shows how far runs are, takes dropped files, and keeps sliders and fields alike.
// Everything else is forms and htmx. Loaded with `defer`; nothing inline.
(function () {
  'use strict';

  // ---- runs: one stream of events while something on this page is running ----
  let source = null;

  function watched() {
    return document.querySelectorAll('[data-run][data-running="yes"]');
  }
  function ask_again(part) {
    part.dataset.running = 'asked';
    htmx.ajax('GET', part.dataset.part, {target: '#' + part.id, swap: 'outerHTML'});
  }
  function show(statuses) {
    watched().forEach(function (part) {
      const status = statuses[part.dataset.run];
      if (!status) return;
      if (status.state !== 'running' || String(status.number) !== part.dataset.number) {
        ask_again(part);
        return;
      }
      const stage = part.querySelector('.stage'), bar = part.querySelector('progress'), seconds = part.querySelector('.seconds');
      if (stage && stage.textContent !== status.stage) stage.textContent = status.stage;
      if (seconds) seconds.textContent = status.seconds > 0 ? status.seconds + ' s' : '';
      if (bar && status.fraction > 0) bar.value = status.fraction;
      if (bar && status.fraction === 0) bar.removeAttribute('value');
    });
    watch();
  }
  function watch() {
    const wanted = watched().length > 0;
    if (wanted && !source) {
      source = new EventSource('/events');
      source.onmessage = function (event) { show(JSON.parse(event.data)); };
      source.onerror = function () {
        source.close();
        source = null;
        setTimeout(watch, 1000);
      };
    } else if (!wanted && source) {
      source.close();
      source = null;
    }
  }
  document.addEventListener('htmx:afterSettle', watch);
  window.addEventListener('pagehide', function () { if (source) source.close(); source = null; });
  window.addEventListener('pageshow', function (event) {
    if (event.persisted) location.reload();  // the back button may bring a page that is no longer true
  });

  // ---- a file dropped on the page, or chosen ----
  function send(file) {
    const status = document.getElementById('upload-status');
    status.textContent = 'Reading ' + file.name + ' ...';
    fetch('/upload?name=' + encodeURIComponent(file.name), {method: 'PUT', body: file}).then(function (reply) {
      if (reply.ok) {
        location.assign('/table');
        return null;
      }
      return reply.text().then(function (words) { status.textContent = words; });
    }).catch(function () { status.textContent = 'The file could not be sent; is the program still running?'; });
  }
  const drop = document.getElementById('drop'), chooser = document.getElementById('upload');
  if (drop && chooser) {
    chooser.addEventListener('change', function () { if (chooser.files.length === 1) send(chooser.files[0]); });
    document.addEventListener('dragover', function (event) { event.preventDefault(); drop.classList.add('over'); });
    document.addEventListener('dragleave', function () { drop.classList.remove('over'); });
    document.addEventListener('drop', function (event) {
      event.preventDefault();
      drop.classList.remove('over');
      if (event.dataTransfer.files.length === 1) send(event.dataTransfer.files[0]);
    });
  }

  // ---- k: field, slider and the curve's line for it ----
  const k = document.getElementById('k'), slider = document.getElementById('k-slider');
  function tell() {
    const words = document.getElementById('k-tells');
    if (!words) return;
    // The curve's k around the one that is asked for: the loss is between theirs, the risk no more than the smaller k's.
    let below = null, above = null;
    document.querySelectorAll('#part-curve table.rows tbody tr').forEach(function (row) {
      const cells = row.querySelectorAll('td'), of = Number(cells[0].textContent);
      row.classList.remove('chosen');
      if (of && of <= Number(k.value)) below = {row: row, cells: cells, of: of};
      if (of && of > Number(k.value) && !above) above = {row: row, cells: cells, of: of};
    });
    if (!below) {
      words.textContent = '';
      return;
    }
    below.row.classList.add('chosen');
    const loss = below.cells[1].textContent, risk = below.cells[2].textContent, exact = below.of === Number(k.value);
    if (exact) {
      words.textContent = 'loss ' + loss + ', highest risk ' + risk;
    } else {
      if (above) above.row.classList.add('chosen');
      words.textContent = (above ? 'loss about ' + loss + ' (k ' + below.of + ') to ' + above.cells[1].textContent + ' (k ' + above.of + ')'
                                 : 'loss above ' + loss + ' (k ' + below.of + ')') + ', highest risk below ' + risk;
    }
  }
  if (k && slider) {
    slider.addEventListener('input', function () { k.value = slider.value; tell(); });
    k.addEventListener('input', function () { slider.value = k.value; tell(); });
    document.addEventListener('htmx:afterSettle', tell);
    tell();
  }

  // ---- edges of intervals: each field has a slider beside it ----
  document.querySelectorAll('.edge').forEach(function (line) {
    const field = line.querySelector('[name=edge]'), edge = line.querySelector('[type=range]');
    edge.addEventListener('input', function () { field.value = String(Number(Number(edge.value).toPrecision(4))); });
    field.addEventListener('input', function () { if (field.value !== '') edge.value = field.value; });
  });

  // The server answers mistakes with their words and a status that says so; both are to be shown.
  document.addEventListener('htmx:beforeSwap', function (event) {
    if (event.detail.xhr.status === 422) event.detail.shouldSwap = true;
  });
  document.addEventListener('htmx:sendError', function () {
    const message = document.getElementById('message');
    if (message) message.textContent = 'The program does not answer; was it ended?';
  });
  document.addEventListener('htmx:beforeRequest', function (event) {
    const message = document.getElementById('message');
    if (message && event.detail.elt.tagName === 'FORM') message.textContent = '';
  });
  watch();
}());
