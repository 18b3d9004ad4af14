import { cell } from './cell.ts';
import { SnmprecText } from './snmprec-text.ts';
import { addInterface, addSystem } from './standard-groups.ts';

const { counter32, counter64, float, gauge, hex, int, oid, text, ticks } = cell;
const ucd = '1.3.6.1.4.1.2021';
const host = '1.3.6.1.2.1.25';

/** A Linux server with net-snmp's agent. */
export function hostText(): string {
  const device = new SnmprecText('a Linux host that nobody owns');
  addSystem(device, {
    description: 'Linux host-1 6.1.0-18-amd64 #1 SMP x86_64',
    objectId: '1.3.6.1.4.1.8072.3.2.10',
    uptime: 51_200,
    name: 'host-1.example.net',
    location: 'Sitting on the Dock of the Bay',
    services: 72,
  });
  device.scalars('1.3.6.1.2.1.2', { 1: int(2) });
  const alias = text('');
  addInterface(device, {
    index: 1,
    description: 'lo',
    name: 'lo',
    alias,
    type: 24,
    bitsPerSecond: 1e7,
    mac: '',
    operStatus: 1,
    octets: 881_204n,
  });
  addInterface(device, {
    index: 2,
    description: 'enp1s0',
    name: 'enp1s0',
    alias,
    type: 6,
    bitsPerSecond: 1e10,
    mac: '020000000d01',
    operStatus: 1,
    octets: 2n ** 53n + 1n,
  });
  addUcd(device);
  addHostResources(device);
  return device.toString();
}

function addUcd(device: SnmprecText): void {
  for (const [row, minutes, load] of [
    [1, 1, 0.27],
    [2, 5, 1.5],
    [3, 15, 12.75],
  ] as const) {
    device.row(`${ucd}.10.1`, row, {
      1: int(row),
      2: text(`Load-${minutes}`),
      3: text(load.toFixed(2)),
      4: text('12.00'),
      5: int(Math.round(load * 100)),
      6: float(load),
      100: int(load > 12 ? 1 : 0),
      101: text(load > 12 ? `${minutes} min Load Average too high (= ${load})` : ''),
    });
  }
  device.scalars(`${ucd}.4`, {
    1: int(0),
    2: text('swap'),
    3: int(999_420),
    4: int(999_420),
    5: int(16_333_212),
    6: int(1_233_010),
    11: int(2_232_430),
    12: int(16_000),
    13: int(88_212),
    14: int(401_200),
    15: int(9_021_120),
    100: int(0),
    101: text(''),
  });
  const raw = {
    50: 98_112_332,
    51: 12,
    52: 30_112_009,
    53: 4_294_967_290,
    54: 100_200,
    55: 0,
    56: 0,
    59: 2_222_333_444,
    60: 3_333_444_555,
  };
  device.scalars(`${ucd}.11`, {
    1: int(0),
    2: text('systemStats'),
    3: int(0),
    4: int(0),
    9: int(7),
    10: int(2),
    11: int(90),
    ...Object.fromEntries(Object.entries(raw).map(([object, value]) => [object, counter32(value)])),
  });
  device.row(`${ucd}.9.1`, 1, {
    1: int(1),
    2: text('/'),
    3: text('/dev/vda1'),
    4: int(100_000),
    5: int(-1),
    // 20 TiB: the 32-bit columns stay at their maximum, low and high halves tell.
    6: int(2_147_483_647),
    7: int(2_147_483_647),
    8: int(2_147_483_647),
    9: int(61),
    10: int(3),
    11: gauge(0),
    12: gauge(5),
    13: gauge(0),
    14: gauge(2),
    15: gauge(0),
    16: gauge(3),
    100: int(0),
    101: text(''),
  });
  device.row(`${ucd}.13.15.1.1`, 1, {
    1: int(1),
    2: text('vda'),
    3: counter32(3_221_225_472),
    4: counter32(17),
    5: counter32(900_112),
    6: counter32(1_200_334),
    12: counter64(9_007_199_254_740_993n),
    13: counter64(18_446_744_073_709_551_615n),
  });
  device.row(`${ucd}.13.16.2.1`, 1, { 1: int(1), 2: text('CPU Temperature'), 3: gauge(48_500) });
  device.row(`${ucd}.13.16.3.1`, 1, { 1: int(1), 2: text('fan1'), 3: gauge(0) });
}

function addHostResources(device: SnmprecText): void {
  device.scalars(`${host}.1`, {
    1: ticks(1_238_812_334),
    2: hex('07ea0b150c2d1e002b0100'),
    3: int(393_216),
    4: text('BOOT_IMAGE=/vmlinuz root=/dev/vda1 ro quiet'),
    5: gauge(1),
    6: gauge(183),
    7: int(0),
  });
  device.scalars(`${host}.2`, { 2: int(16_333_212) });
  for (const [row, type, name, units, size, used] of [
    [1, 2, 'Physical memory', 1024, 16_333_212, 15_100_202],
    [10, 3, 'Swap space', 1024, 999_420, 0],
    // More blocks than Integer32 holds: net-snmp lets them become negative.
    [31, 4, '/', 4096, -1_073_741_824, 1_982_331_001],
    [32, 4, '/mnt/café', 4096, 2048, 2048],
  ] as const) {
    device.row(`${host}.2.3.1`, row, {
      1: int(row),
      2: oid(`${host}.2.1.${type}`),
      3: hex(Buffer.from(name, 'utf8').toString('hex')),
      4: int(units),
      5: int(size),
      6: int(used),
    });
  }
  for (const cpu of [196_608, 196_609]) {
    device.row(`${host}.3.2.1`, cpu, {
      1: int(cpu),
      2: oid(`${host}.3.1.3`),
      3: text('Example CPU 2.4 GHz'),
      4: oid('0.0'),
      5: int(2),
    });
    device.row(`${host}.3.3.1`, cpu, { 1: oid('0.0'), 2: int(cpu - 196_600) });
  }
  for (const [pid, name, status] of [
    [1, 'systemd', 2],
    [412, 'sshd', 2],
    [2_211, '', 4],
  ] as const) {
    device.row(`${host}.4.2.1`, pid, {
      1: int(pid),
      2: text(name),
      3: oid('0.0'),
      4: text(`/usr/sbin/${name}`),
      5: text(''),
      6: int(4),
      7: int(status),
    });
    device.row(`${host}.5.1.1`, pid, { 1: int(pid * 31), 2: int(10_240 + pid) });
  }
}
