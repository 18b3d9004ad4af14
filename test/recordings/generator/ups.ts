import { cell } from './cell.ts';
import { SnmprecText } from './snmprec-text.ts';
import { addSystem } from './standard-groups.ts';

const { counter32, gauge, int, oid, text, ticks } = cell;
const ups = '1.3.6.1.2.1.33.1';

/** A three-phase UPS on battery, with an alarm. */
export function upsText(): string {
  const device = new SnmprecText('a UPS that nobody owns');
  addSystem(device, {
    description: 'Example Power UP-20 UPS, firmware 1.07',
    objectId: '1.3.6.1.4.1.32473.2.1',
    uptime: 99_120_000,
    name: 'ups-1',
    location: 'Basement',
    services: 4,
  });
  device.scalars(`${ups}.1`, {
    1: text('Example Power'),
    2: text('UP-20'),
    3: text('1.07'),
    4: text('3.2'),
    5: text('ups-1'),
    6: text(''),
  });
  device.scalars(`${ups}.2`, {
    1: int(2),
    2: int(47),
    3: int(31),
    4: int(88),
    5: int(2160),
    6: int(-121),
    7: int(24),
  });
  device.scalars(`${ups}.3`, { 1: counter32(12), 2: int(3) });
  device.scalars(`${ups}.4`, { 1: int(5), 2: int(500), 3: int(3) });
  device.scalars(`${ups}.5`, { 1: int(0), 2: int(3) });
  for (const line of [1, 2, 3]) {
    device.row(`${ups}.3.3.1`, line, { 2: int(0), 3: int(line), 4: int(0), 5: int(0) });
    device.row(`${ups}.4.4.1`, line, {
      2: int(229 + line),
      3: int(61 * line),
      4: int(1400 * line),
      5: int(21 * line),
    });
    device.row(`${ups}.5.3.1`, line, { 2: int(231), 3: int(0), 4: int(0) });
  }
  device.scalars(`${ups}.6`, { 1: gauge(2) });
  device.row(`${ups}.6.2.1`, 1, { 2: oid(`${ups}.6.3.2`), 3: ticks(99_115_300) });
  device.row(`${ups}.6.2.1`, 7, { 2: oid(`${ups}.6.3.6`), 3: ticks(99_118_000) });
  device.scalars(`${ups}.7`, {
    1: oid(`${ups}.7.7.1`),
    2: int(0),
    3: int(6),
    4: text(''),
    5: ticks(0),
    6: int(0),
  });
  device.scalars(`${ups}.9`, {
    1: int(230),
    2: int(500),
    3: int(230),
    4: int(500),
    5: int(20_000),
    6: int(18_000),
    7: int(2),
    8: int(2),
    9: int(196),
    10: int(264),
  });
  return device.toString();
}
