'use strict';
// What a page can do besides being read: tables that are sorted by a column's name ("sortable") and
// filtered by a text or by what is wrong ("filtered"); parts that are filtered by a text ("parts");
// long tables, whose rows are data and shown some at a time ("long"); and everything unfolded on
// paper.

(() => {
  const text = (row) => row.textContent.toLowerCase();

  // A cell's figure, or what it says.
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    const figure = cell.querySelector('data');
    return figure ? Number(figure.value) : cell.textContent.trim().toLowerCase();
  };

  const compare = (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    // Figures before words and empty cells.
    return typeof a === 'number' ? -1 : 1;
  };

  for (const table of document.querySelectorAll('table.sortable')) {
    const body = table.tBodies[0];
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener('click', () => {
        const direction = heading.ariaSort === 'ascending' ? -1 : 1;
        for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
        heading.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
        const rows = [...body.rows].map((row) => [keyOf(row, column), row]);
        rows.sort((a, b) => direction * compare(a[0], b[0]));
        body.append(...rows.map((entry) => entry[1]));
      });
    });
  }

  const searchField = (label) => {
    const field = document.createElement('input');
    field.type = 'search';
    field.placeholder = 'Filter';
    field.setAttribute('aria-label', label);
    return field;
  };

  for (const table of document.querySelectorAll('table.filtered')) {
    const controls = document.createElement('p');
    controls.className = 'controls';
    const field = searchField('Filter the rows');
    const box = document.createElement('input');
    box.type = 'checkbox';
    const label = document.createElement('label');
    label.append(box, ' only what is wrong');
    controls.append(field);
    const rows = [...table.tBodies[0].rows];
    const isWrong = (row) => row.classList.contains('wrong');
    if (rows.some(isWrong) && !rows.every(isWrong)) controls.append(label);
    table.parentElement.before(controls);
    const update = () => {
      const wanted = field.value.toLowerCase();
      for (const row of table.tBodies[0].rows) {
        row.hidden =
            !text(row).includes(wanted) || (box.checked && !row.classList.contains('wrong'));
      }
    };
    field.addEventListener('input', update);
    box.addEventListener('change', update);
  }

  for (const group of document.querySelectorAll('.parts')) {
    const controls = document.createElement('p');
    controls.className = 'controls';
    const field = searchField('Filter the parts');
    controls.append(field);
    group.before(controls);
    const parts = [...group.children];
    let says = null;  // each of them: to find out takes long, and few ask
    field.addEventListener('input', () => {
      says ??= parts.map(text);
      const wanted = field.value.toLowerCase();
      parts.forEach((part, i) => part.hidden = !says[i].includes(wanted));
    });
  }

  const fewTexts = 100;
  const rowsAtATime = 100;
  for (const place of document.querySelectorAll('.long')) {
    const {columns, texts, cells} = JSON.parse(document.getElementById(place.dataset.rows).textContent);
    const count = cells.length / columns.length;
    let lower = null;  // as above
    const controls = document.createElement('p');
    controls.className = 'controls';
    const field = searchField('Filter the rows');
    const choices = columns.map((name, column) => {
      const places = new Set();
      for (let i = column; i < cells.length && places.size <= fewTexts; i += columns.length) {
        places.add(cells[i]);
      }
      if (places.size < 2 || places.size > fewTexts) return null;
      const choice = document.createElement('select');
      choice.setAttribute('aria-label', name);
      choice.append(new Option(`every ${name}`, ''));
      const sorted = [...places].sort((a, b) => compare(texts[a], texts[b]));
      for (const one of sorted) choice.append(new Option(texts[one] || '(none)', one));
      return choice;
    });
    const said = document.createElement('output');
    controls.append(field, ...choices.filter((choice) => choice), said);

    const table = document.createElement('table');
    const names = table.createTHead().insertRow();
    for (const name of columns) {
      const heading = document.createElement('th');
      heading.scope = 'col';
      heading.textContent = name;
      names.append(heading);
    }
    const body = table.createTBody();
    const box = document.createElement('div');
    box.className = 'scroll';
    box.tabIndex = 0;
    box.append(table);
    const more = document.createElement('button');
    more.type = 'button';
    more.textContent = 'Show more';

    let found = [];
    const show = () => {
      const shown = body.rows.length;
      for (const row of found.slice(shown, shown + rowsAtATime)) {
        const line = body.insertRow();
        for (let i = 0; i < columns.length; ++i) {
          line.insertCell().textContent = texts[cells[row * columns.length + i]];
        }
      }
      more.hidden = body.rows.length >= found.length;
      said.textContent = `${found.length} of ${count}, ${body.rows.length} shown`;
    };
    const update = () => {
      const wanted = field.value.toLowerCase();
      if (wanted !== '') lower ??= texts.map((one) => one.toLowerCase());
      const has = texts.map((_, i) => wanted === '' || lower[i].includes(wanted));
      found = [];
      for (let row = 0; row < count; ++row) {
        const first = row * columns.length;
        let isFound = false;
        let isChosen = true;
        for (let i = 0; i < columns.length; ++i) {
          isFound ||= has[cells[first + i]];
          isChosen &&= !choices[i] || choices[i].value === '' || Number(choices[i].value) === cells[first + i];
        }
        if (isFound && isChosen) found.push(row);
      }
      body.replaceChildren();
      show();
    };
    more.addEventListener('click', show);
    field.addEventListener('input', update);
    for (const choice of choices) choice?.addEventListener('change', update);
    place.replaceChildren(controls, box, more);
    update();
  }

  addEventListener('beforeprint', () => {
    for (const part of document.querySelectorAll('details')) part.open = true;
  });
})();
