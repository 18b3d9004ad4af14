// @ts-check

/**
 * The rows of a CSV text by the value of their first column; the first row names the columns. Quoted cells may hold
 * commas, quotes written twice, and line breaks.
 * @param {string} text
 * @returns {Map<string, Readonly<Record<string, string>>>}
 */
export function readTable(text) {
  const [names = [], ...rows] = readRows(text);
  const tags = names.slice(1);
  return new Map(
    rows.map(([key = '', ...cells]) => [
      key,
      Object.freeze(Object.fromEntries(tags.map((tag, column) => [tag, cells[column] ?? '']))),
    ]),
  );
}

/**
 * @param {string} text
 * @returns {string[][]}
 */
function readRows(text) {
  const rows = [];
  let row = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
  }
  return rows;
}
