import { cell } from './cell.ts';
import { SnmprecText } from './snmprec-text.ts';
import { addInterface, addSystem } from './standard-groups.ts';

const { counter32, hex, int, oid, text, ticks } = cell;
const printer = '1.3.6.1.2.1.43';
const host = '1.3.6.1.2.1.25';

/** A colour printer whose black toner runs low and whose second tray is empty. */
export function printerText(): string {
  const device = new SnmprecText('a printer that nobody owns');
  addSystem(device, {
    description: 'Example Print CP-3 colour printer',
    objectId: '1.3.6.1.4.1.32473.3.1',
    uptime: 812_233,
    name: 'printer-1',
    location: 'Copy room, 2nd floor',
    services: 72,
  });
  device.scalars('1.3.6.1.2.1.2', { 1: int(1) });
  addInterface(device, {
    index: 1,
    description: 'Ethernet',
    name: 'eth0',
    alias: text(''),
    type: 6,
    bitsPerSecond: 1e8,
    mac: '020000000e01',
    operStatus: 1,
    octets: 99_001_220n,
  });
  device.row(`${host}.3.2.1`, 1, {
    1: int(1),
    2: oid(`${host}.3.1.5`),
    3: text('Example Print CP-3'),
    4: oid('0.0'),
    5: int(3),
    6: counter32(2),
  });
  // Low toner, and no paper in one tray: bits 2 and 13 of hrPrinterDetectedErrorState, in two octets.
  device.row(`${host}.3.5.1`, 1, { 1: int(3), 2: hex('2004') });
  device.row(`${printer}.5.1.1`, 1, {
    1: counter32(4),
    2: int(1),
    16: text('printer-1'),
    17: text('MADEUP-77'),
    18: counter32(3),
    19: counter32(41),
  });
  device.row(`${printer}.6.1.1`, '1.1', { 2: text('Front cover'), 3: int(4) });
  for (const [tray, name, capacity, level, status] of [
    [1, 'Tray 1', 500, 320, 0],
    [2, 'Tray 2', 500, 0, 9],
    // -2 is unknown, -3 says that there is some.
    [3, 'Manual feed', -2, -3, 0],
  ] as const) {
    device.row(`${printer}.8.2.1`, `1.${tray}`, {
      2: int(tray === 3 ? 5 : 3),
      8: int(8),
      9: int(capacity),
      10: int(level),
      11: int(status),
      12: text('iso-a4-white'),
      13: text(name),
      18: text(name),
    });
  }
  device.row(`${printer}.10.2.1`, '1.1', {
    2: int(4),
    3: int(7),
    4: counter32(182_331),
    5: counter32(12),
    6: int(4),
    7: int(0),
    15: int(0),
  });
  for (const [supply, name, level] of [
    [1, 'Black toner', 4],
    [2, 'Cyan toner', 61],
    [3, 'Magenta toner', 70],
    [4, 'Yellow toner', 66],
    [5, 'Waste toner box', -3],
  ] as const) {
    device.row(`${printer}.11.1.1`, `1.${supply}`, {
      2: int(1),
      3: int(supply === 5 ? 0 : supply),
      4: int(supply === 5 ? 4 : 3),
      5: int(supply === 5 ? 4 : 3),
      6: text(name),
      7: int(19),
      8: int(100),
      9: int(level),
    });
    if (supply < 5)
      device.row(`${printer}.12.1.1`, `1.${supply}`, {
        2: int(1),
        3: int(3),
        4: text(name.split(' ')[0]!.toLowerCase()),
        5: int(256),
      });
  }
  device.row(`${printer}.16.5.1`, '1.1', { 2: text('Toner low') });
  device.row(`${printer}.16.5.1`, '1.2', { 2: text('') });
  device.row(`${printer}.18.1.1`, '1.7', {
    2: int(4),
    3: int(3),
    4: int(11),
    5: int(1),
    6: int(1),
    7: int(1104),
    8: text('Black toner low'),
    9: ticks(800_000),
  });
  return device.toString();
}
