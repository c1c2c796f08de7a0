'use strict';
// What a page can do besides being read: tables that are sorted by a column's name ("sortable") and
// filtered by a text or by what is wrong ("filtered"); and everything unfolded on paper.

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

  for (const table of document.querySelectorAll('table.filtered')) {
    const controls = document.createElement('p');
    controls.className = 'controls';
    const field = document.createElement('input');
    field.type = 'search';
    field.placeholder = 'Filter';
    field.setAttribute('aria-label', 'Filter the rows');
    const box = document.createElement('input');
    box.type = 'checkbox';
    const label = document.createElement('label');
    label.append(box, ' only what is wrong');
    controls.append(field, label);
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

  addEventListener('beforeprint', () => {
    for (const part of document.querySelectorAll('details')) part.open = true;
  });
})();
