import { cell } from './cell.ts';
import { SnmprecText } from './snmprec-text.ts';
import { addInterface, addSystem } from './standard-groups.ts';

const { counter32, gauge, hex, int, ip, oid, text } = cell;
const ipGroup = '1.3.6.1.2.1.4';
const bgp = '1.3.6.1.2.1.15';
const ospf = '1.3.6.1.2.1.14';

/** A router with five interfaces, a tunnel, two BGP peers and an OSPF neighbour. */
export function routerText(): string {
  const device = new SnmprecText('a router that nobody owns');
  addSystem(device, {
    description: 'Example Networks RT-9 router, software 11.0',
    objectId: '1.3.6.1.4.1.32473.1.2',
    uptime: 4_294_900_000,
    name: 'core-1.example.net',
    location: '',
    services: 78,
  });
  device.scalars('1.3.6.1.2.1.2', { 1: int(6) });
  for (let index = 1; index <= 6; index++) {
    addInterface(device, {
      index,
      description: index === 6 ? 'Tunnel 0' : `TenGigabitEthernet 1/${index}`,
      name: index === 6 ? 'tun0' : `te-1/${index}`,
      alias: text(index === 1 ? 'transit; 64500 | "primary"' : ''),
      type: index === 6 ? 131 : 6,
      // More than ifSpeed can say: it stays at its maximum and ifHighSpeed tells.
      bitsPerSecond: index === 6 ? 9000 : index === 5 ? 4e11 : 1e10,
      mac: index === 6 ? '' : `020000000b0${index}`,
      operStatus: index === 4 ? 2 : 1,
      octets: 2n ** 60n + BigInt(index) * 1_234_567_891n,
    });
  }
  addIp(device);
  addBgp(device);
  addOspf(device);
  return device.toString();
}

function addIp(device: SnmprecText): void {
  device.scalars(ipGroup, {
    1: int(1),
    2: int(64),
    3: counter32(4_294_967_295),
    4: counter32(3),
    5: counter32(0),
  });
  for (let index = 1; index <= 3; index++) {
    const address = `192.0.2.${index * 64 + 1}`;
    device.row(`${ipGroup}.20.1`, address, {
      1: ip(address),
      2: int(index),
      3: ip('255.255.255.192'),
      4: int(1),
      5: int(65_535),
    });
    const neighbour = `192.0.2.${index * 64 + 2}`;
    device.row(`${ipGroup}.22.1`, `${index}.${neighbour}`, {
      1: int(index),
      2: hex(`02000000c00${index}`),
      3: ip(neighbour),
      4: int(3),
    });
  }
}

function addBgp(device: SnmprecText): void {
  device.scalars(bgp, { 1: hex('10'), 2: int(64_496), 4: ip('192.0.2.65') });
  const peers = [
    ['192.0.2.66', 6, 64_500, '0000', 8_123_456],
    // Its AS does not fit 16 bits: AS_TRANS stands for it. Its last error was cease, administrative shutdown.
    ['198.51.100.9', 1, 23_456, '0602', 0],
  ] as const;
  for (const [address, state, as, lastError, established] of peers) {
    device.row(`${bgp}.3.1`, address, {
      1: ip(state === 6 ? address : '0.0.0.0'),
      2: int(state),
      3: int(state === 6 ? 2 : 1),
      4: int(4),
      5: ip('192.0.2.65'),
      6: int(state === 6 ? 179 : 0),
      7: ip(address),
      8: int(state === 6 ? 40_112 : 0),
      9: int(as),
      10: counter32(91_822),
      11: counter32(12),
      12: counter32(4_294_000_111),
      13: counter32(220_401),
      14: hex(lastError),
      15: counter32(3),
      16: gauge(established),
      17: int(120),
      18: int(90),
      19: int(30),
      20: int(90),
      21: int(30),
      22: int(15),
      23: int(30),
      24: gauge(4),
    });
  }
}

function addOspf(device: SnmprecText): void {
  device.scalars(`${ospf}.1`, {
    1: ip('192.0.2.65'),
    2: int(1),
    3: int(2),
    4: int(2),
    5: int(1),
    6: gauge(4),
    7: int(-2_022_144_321),
    8: int(2),
    9: counter32(312),
    10: counter32(90_114),
  });
  device.row(`${ospf}.7.1`, '192.0.2.129.0', {
    1: ip('192.0.2.129'),
    2: int(0),
    3: ip('0.0.0.0'),
    4: int(3),
    5: int(1),
    6: int(1),
    12: int(4),
    13: ip('0.0.0.0'),
    14: ip('0.0.0.0'),
    15: counter32(6),
  });
  device.row(`${ospf}.10.1`, '192.0.2.130.0', {
    1: ip('192.0.2.130'),
    2: int(0),
    3: ip('192.0.2.200'),
    4: int(2),
    5: int(1),
    6: int(8),
    7: counter32(6),
    8: gauge(0),
    10: int(1),
    11: int(2),
  });
  device.scalars('1.3.6.1.2.1.11', { 1: counter32(88_123), 30: int(2) });
  device.row('1.3.6.1.2.1.10.131.1.1.1.1', 6, {
    1: ip('192.0.2.193'),
    2: ip('198.51.100.9'),
    3: int(3),
    4: int(64),
    5: int(1),
    6: int(-1),
  });
  device.row('1.3.6.1.2.1.4.21.1', '0.0.0.0', {
    1: ip('0.0.0.0'),
    2: int(1),
    7: ip('192.0.2.66'),
    8: int(4),
    9: int(14),
    13: oid('0.0'),
  });
}
