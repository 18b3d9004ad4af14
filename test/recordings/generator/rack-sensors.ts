import { cell } from './cell.ts';
import { SnmprecText } from './snmprec-text.ts';
import { addEntity, addInterface, addSystem } from './standard-groups.ts';

const { gauge, int, text, ticks } = cell;
const vendor = '1.3.6.1.4.1.32473.4';

/** A power strip with eight outlets and two probes: ENTITY-SENSOR, and a vendor's table without a MIB that anybody has. */
export function rackSensorsText(): string {
  const device = new SnmprecText('a power strip with probes that nobody owns');
  addSystem(device, {
    description: 'Example Power RS-8',
    objectId: `${vendor}.1`,
    uptime: 7,
    name: '',
    location: 'Rack 4',
    services: 64,
  });
  device.scalars('1.3.6.1.2.1.2', { 1: int(1) });
  addInterface(device, {
    index: 1,
    description: '',
    name: '',
    alias: text(''),
    type: 6,
    bitsPerSecond: 1e8,
    mac: '020000000f01',
    operStatus: 1,
    octets: 0n,
  });
  addEntity(device, { index: 1, description: 'RS-8', within: 0, class: 3, position: 0, name: '' });
  const sensors = [
    ['Rack top temperature', [8, 9, 2, 2731, 'C']],
    ['Rack bottom humidity', [9, 9, 1, 415, '%RH']],
    ['Strip voltage', [3, 9, 1, 2304, 'V']],
    ['Strip power', [6, 10, 3, 1912, 'kW']],
    ['Strip frequency', [7, 8, 0, 49_980, 'mHz']],
    ['Door', [12, 9, 0, 2, '']],
  ] as const;
  sensors.forEach(([name, sensor], i) => {
    addEntity(device, {
      index: 10 + i,
      description: name,
      within: 1,
      class: 8,
      position: i + 1,
      name,
      sensor,
    });
  });
  for (let outlet = 1; outlet <= 8; outlet++) {
    device.row(`${vendor}.2.1.1`, outlet, {
      1: text(`Outlet ${outlet}`),
      2: int(outlet === 5 ? 0 : 1),
      3: gauge(outlet === 5 ? 0 : outlet * 110),
      4: ticks(outlet),
    });
  }
  return device.toString();
}
