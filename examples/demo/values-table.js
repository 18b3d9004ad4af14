// @ts-check

/**
 * @typedef {{ name: string, state: string, in: number, out: number }} Interface
 * @typedef {{ isUp: boolean, interfaces: Map<string, Interface>, other?: { text: string, rank: number } }} Device
 * @typedef {{ key: string, labels: Readonly<Record<string, string>>, values: Readonly<Record<string, unknown>> }} Row
 */

const header = ['device', 'interface', 'state', 'in', 'out', 'other value'];

/** Collects the latest values of each device for one table. */
export class ValuesTable {
  /** @type {Map<string, Device>} */
  #devices = new Map();

  /**
   * @param {string} name of the device
   * @param {Iterable<Row>} rows
   */
  add(name, rows) {
    const device = this.#devices.get(name) ?? { isUp: false, interfaces: new Map() };
    this.#devices.set(name, device);
    for (const { key, labels, values } of rows) {
      if (typeof values['up'] === 'boolean') device.isUp = values['up'];
      addInterface(device, key, labels, values);
      const other = findOther(labels, values);
      if (other !== undefined && other.rank <= (device.other?.rank ?? Number.POSITIVE_INFINITY)) {
        device.other = other;
      }
    }
  }

  /** Whether the rates of an interface are known, which takes two polls of its device. */
  get hasTraffic() {
    return [...this.#devices.values()].some(({ interfaces }) => interfaces.size > 0);
  }

  /** @param {number} width the columns of the terminal; longer lines are cut */
  format(width) {
    const rows = [...this.#devices].sort(([a], [b]) => (a < b ? -1 : 1)).map(describe);
    const cells = [header, ...rows].map((row) => row.map(toPlainText));
    const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    const lines = cells.map((row) =>
      row
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    );
    return lines.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line)).join('\n');
  }
}

/**
 * @param {Device} device
 * @param {string} key
 * @param {Row['labels']} labels
 * @param {Row['values']} values
 */
function addInterface({ interfaces }, key, labels, values) {
  const received = values['netif.bytes.in_rate'];
  const sent = values['netif.bytes.out_rate'];
  if (typeof received !== 'number' || typeof sent !== 'number') return;
  if (labels['netif.type.name'] === 'softwareLoopback') return;
  const name = labels['netif.name'] || labels['netif.descr'] || key;
  const state = String(values['netif.status.oper.name'] ?? '');
  interfaces.set(key, { name, state, in: received, out: sent });
}

/**
 * The value that says most about a device that is not a switch; the lowest rank wins.
 * @param {Row['labels']} labels
 * @param {Row['values']} values
 */
function findOther(labels, values) {
  const sensor = values['sensor.value'];
  if (labels['sensor.class'] === 'charge' && sensor !== undefined)
    return { text: `battery at ${sensor} %`, rank: 0 };
  const shown = values['printer.console.text'];
  if (shown !== undefined && labels['printer.console.line'] === '1')
    return { text: `shows “${shown}”`, rank: 1 };
  const load = values['processor.usage'];
  if (load !== undefined) return { text: `CPU at ${load} %`, rank: 2 };
  if (labels['sensor.class'] === 'temperature' && sensor !== undefined) {
    const place = labels['sensor.name']?.replace(/ temperature.*$/i, '');
    return { text: `${place} at ${sensor} °C`, rank: 3 };
  }
  const peer = values['bgp.peer.status.oper.name'];
  if (peer !== undefined) return { text: `BGP session ${peer}`, rank: peer === 'established' ? 4 : 5 };
  return undefined;
}

/** @param {[string, Device]} entry */
function describe([name, { isUp, interfaces, other }]) {
  if (!isUp) return [name, '', '', '', '', 'does not answer'];
  const busiest = [...interfaces.values()].sort((a, b) => b.in + b.out - a.in - a.out)[0];
  const traffic =
    busiest === undefined
      ? ['', '', '', '']
      : [busiest.name, busiest.state, formatRate(busiest.in), formatRate(busiest.out)];
  return [name, ...traffic, other?.text ?? ''];
}

/** @param {number} column */
function isNumber(column) {
  return header[column] === 'in' || header[column] === 'out';
}

const units = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s'];

/** @param {number} bytesPerSecond */
function formatRate(bytesPerSecond) {
  let rate = bytesPerSecond * 8;
  let unit = 0;
  while (rate >= 1000 && unit < units.length - 1) {
    rate /= 1000;
    unit++;
  }
  return `${rate < 10 && unit > 0 ? rate.toFixed(1) : Math.round(rate)} ${units[unit]}`;
}

/**
 * Names come from devices: a control character could change what a terminal shows.
 * @param {string} text
 */
function toPlainText(text) {
  return text.replace(/[\p{C}\u2028\u2029]/gu, '?').slice(0, 40);
}
