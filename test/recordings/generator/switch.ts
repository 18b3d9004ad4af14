import { cell } from './cell.ts';
import { SnmprecText } from './snmprec-text.ts';
import { addEntity, addInterface, addSystem } from './standard-groups.ts';

const { counter32, gauge, hex, int, oid, text, ticks } = cell;
const bridge = '1.3.6.1.2.1.17';
const lldp = '1.0.8802.1.1.2.1';
const ports = Array.from({ length: 24 }, (_, i) => i + 1);

/** A switch with 24 ports, two VLANs, sensors and three neighbours. */
export function switchText(): string {
  const device = new SnmprecText('a 24-port switch that nobody owns');
  addSystem(device, {
    description: 'Example Networks EX-1000 switch, 24 x 1000BASE-T, software 4.2.1',
    objectId: '1.3.6.1.4.1.32473.1.1',
    uptime: 381_204_417,
    name: 'access-1.example.net',
    location: 'Rack 4, row B',
    services: 2,
  });
  device.scalars('1.3.6.1.2.1.2', { 1: int(25) }).scalars('1.3.6.1.2.1.31.1', { 5: ticks(90_210) });
  for (const port of ports) {
    addInterface(device, {
      index: port,
      description: `GigabitEthernet 0/${port}`,
      name: `ge-0/${port}`,
      // Latin-1 on port 2, UTF-8 on port 3, octets that are no text on port 4.
      alias:
        [text(''), hex('42fc726f'), hex('42c3bc726f'), hex('fffe00')][(port - 1) % 24] ??
        text(`Desk ${port}`),
      type: 6,
      bitsPerSecond: 1e9,
      mac: `020000000a${port.toString(16).padStart(2, '0')}`,
      // Port 7 is down, 8 and 16 too; 9 says lowerLayerDown, 10 a number that IF-MIB does not have.
      operStatus: ({ 7: 2, 8: 2, 16: 2, 9: 7, 10: 9 } as Record<number, number>)[port] ?? 1,
      octets:
        port === 1
          ? 9_007_199_254_740_993n
          : port === 2
            ? 18_446_744_073_709_551_000n
            : BigInt(port) * 913_442_118_003n,
    });
  }
  addInterface(device, {
    index: 1000,
    description: 'Management VLAN',
    name: 'vlan1',
    alias: text('management'),
    type: 53,
    bitsPerSecond: 0,
    mac: '020000000a00',
    operStatus: 1,
    octets: 73_111_902n,
  });
  addEntities(device);
  addBridge(device);
  addVlans(device);
  addNeighbours(device);
  return device.toString();
}

function addEntities(device: SnmprecText): void {
  const part = { description: '', within: 1, position: 1 };
  addEntity(device, {
    ...part,
    index: 1,
    description: 'EX-1000 chassis',
    within: 0,
    class: 3,
    position: 0,
    name: 'chassis',
  });
  addEntity(device, { ...part, index: 2, description: 'Power supply', class: 6, name: 'PSU 1' });
  addEntity(device, { ...part, index: 3, description: 'Fan', class: 7, name: 'Fan 1' });
  // No class of IANA-ENTITY-MIB.
  addEntity(device, { ...part, index: 4, description: 'Blinkenlights', class: 99, name: 'LED panel' });
  const sensors = [
    ['Inlet temperature', [8, 9, 1, 234, 'C']],
    ['Supply voltage', [4, 8, 0, 12_043, 'mV']],
    ['Supply current', [5, 8, 2, 151_250, 'mA']],
    ['Fan speed', [10, 9, 0, 4300, 'rpm']],
    ['Unplugged probe', [8, 9, 0, -1_000_000_000, '']],
  ] as const;
  sensors.forEach(([name, sensor], i) => {
    addEntity(device, { ...part, index: 100 + i, description: name, class: 8, position: i, name, sensor });
  });
}

function addBridge(device: SnmprecText): void {
  device.scalars(`${bridge}.1`, { 1: hex('020000000a00'), 2: int(24), 3: int(2) }).scalars(`${bridge}.2`, {
    1: int(3),
    2: int(32_768),
    3: ticks(8_640_000),
    4: counter32(17),
    5: hex('1000020000000b00'),
    6: int(20_000),
    7: int(24),
    8: int(2000),
    9: int(200),
    10: int(100),
    11: int(1500),
  });
  device.scalars(`${bridge}.4`, { 1: counter32(0), 2: int(300) });
  for (const port of ports) {
    device.row(`${bridge}.1.4.1`, port, {
      1: int(port),
      2: int(port),
      3: oid('0.0'),
      4: counter32(0),
      5: counter32(port % 2),
    });
    device.row(`${bridge}.2.15.1`, port, {
      1: int(port),
      2: int(128),
      3: int(port === 7 ? 1 : 5),
      4: int(1),
      5: int(20_000),
      6: hex('1000020000000b00'),
      7: int(0),
      8: hex('8000020000000a00'),
      9: hex(`80${port.toString(16).padStart(2, '0')}`),
      10: counter32(1),
    });
    const mac = [2, 0, 0, 1, 0, port];
    const octets = Buffer.from(mac).toString('hex');
    device.row(`${bridge}.4.3.1`, mac.join('.'), { 1: hex(octets), 2: int(port), 3: int(3) });
    device.row(`${bridge}.7.1.2.2.1`, [port % 2 === 0 ? 10 : 20, ...mac].join('.'), {
      2: int(port),
      3: int(3),
    });
  }
}

function addVlans(device: SnmprecText): void {
  device.scalars(`${bridge}.7.1.1`, { 1: int(1), 2: int(4094), 3: gauge(256), 4: gauge(2), 5: int(2) });
  for (const [vlan, name, members] of [
    [10, 'staff', '55555500'],
    [20, '', 'aaaaaa00'],
  ] as const) {
    device.row(`${bridge}.7.1.4.2.1`, `0.${vlan}`, {
      3: gauge(vlan),
      4: hex(members),
      5: hex(members),
      6: int(2),
      7: ticks(3100),
    });
    device.row(`${bridge}.7.1.4.3.1`, vlan, {
      1: text(name),
      2: hex(members),
      3: hex('00000000'),
      4: hex(members),
      5: int(1),
    });
  }
  for (const port of ports) {
    device.row(`${bridge}.7.1.4.5.1`, port, {
      1: gauge(port % 2 === 0 ? 10 : 20),
      2: int(1),
      3: int(2),
      4: int(2),
    });
  }
}

function addNeighbours(device: SnmprecText): void {
  device.scalars(`${lldp}.3`, {
    1: int(4),
    2: hex('020000000a00'),
    3: text('access-1.example.net'),
    4: text('Example Networks EX-1000'),
    5: hex('2000'),
    6: hex('2000'),
  });
  for (const port of ports) {
    device.row(`${lldp}.3.7.1`, port, {
      2: int(5),
      3: text(`ge-0/${port}`),
      4: text(`GigabitEthernet 0/${port}`),
    });
  }
  const neighbours = [
    [1, int(4), hex('020000000c01'), int(3), hex('020000000c02'), 'phone-17', '192.0.2.17'],
    [24, int(4), hex('020000000b00'), int(5), text('te-1/1'), 'core-1.example.net', '192.0.2.1'],
    // Identifies itself by a network address; has no name.
    [24, int(5), hex('01c0000202'), int(7), text('port a'), '', '192.0.2.2'],
  ] as const;
  neighbours.forEach(([port, chassisType, chassis, portType, portId, name, address], i) => {
    device.row(`${lldp}.4.1.1`, `4200.${port}.${i + 1}`, {
      4: chassisType,
      5: chassis,
      6: portType,
      7: portId,
      8: text(''),
      9: text(name),
      10: text('made up'),
      11: hex('2800'),
      12: hex('2000'),
    });
    device.row(`${lldp}.4.2.1`, `4200.${port}.${i + 1}.1.4.${address}`, {
      3: int(2),
      4: int(1),
      5: oid('0.0'),
    });
  });
}
