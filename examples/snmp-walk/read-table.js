// @ts-check
/** @typedef {import('waywiser/snmp').SnmpSession} SnmpSession */
/** @typedef {import('waywiser/snmp').SnmpValue} SnmpValue */

/**
 * Reads columns of a table, all of them side by side.
 *
 * @param {SnmpSession} session
 * @param {Readonly<Record<string, string>>} columns the OID of each column, by the name that it has in the result
 * @returns {Promise<Map<string, Record<string, SnmpValue>>>} the values of each row, by the row's index
 */
export async function readTable(session, columns) {
  const names = new Map(Object.entries(columns).map(([name, oid]) => [oid, name]));
  const walk = session.walk([...names.keys()]);
  /** @type {Map<string, Record<string, SnmpValue>>} */
  const rows = new Map();
  for await (const varbinds of walk) {
    for (const { oid, ...value } of varbinds) {
      for (const [column, name] of names) {
        if (!oid.startsWith(`${column}.`)) continue;
        const index = oid.slice(column.length + 1);
        const row = rows.get(index) ?? {};
        row[name] = /** @type {SnmpValue} */ (value);
        rows.set(index, row);
      }
    }
  }
  // The iteration ends without an error when an agent breaks off; the outcome says so.
  for (const { root, reason } of walk.outcome.partial) {
    throw new Error(`The column ${root} was not read to its end: ${reason}.`);
  }
  return rows;
}
