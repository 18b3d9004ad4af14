// @ts-check
import { alternating } from 'waywiser/testing';
import { steady, swinging, traffic } from './made-up-values.js';

/** Port 3 of switch-3 is down for 15 seconds of every minute, and the switch says so with traps. */
export const link = { oid: '1.3.6.1.2.1.2.2.1.8.3', everyMs: 60_000, downMs: 15_000 };

const upsBatteryStatus = '1.3.6.1.2.1.33.1.2.1.0';
const upsSecondsOnBattery = '1.3.6.1.2.1.33.1.2.2.0';
const upsOutputSource = '1.3.6.1.2.1.33.1.4.1.0';

/**
 * The columns of an interface: ifHCInOctets and the like, and the ones of 32 bits of devices that have no others.
 * @param {number} bytesPerSecond
 * @param {readonly number[]} idle interfaces that are down
 */
function interfaces(bytesPerSecond, idle = []) {
  const inPackets = bytesPerSecond / 800;
  const outPackets = inPackets * 0.7;
  const outBytes = bytesPerSecond * 0.45;
  return [
    { under: '1.3.6.1.2.1.2.2.1.10', field: 'netif.bytes.in', moves: traffic(bytesPerSecond, idle) },
    { under: '1.3.6.1.2.1.2.2.1.16', field: 'netif.bytes.out', moves: traffic(outBytes, idle) },
    { under: '1.3.6.1.2.1.2.2.1.11', field: 'netif.packets.unicast.in', moves: traffic(inPackets, idle) },
    { under: '1.3.6.1.2.1.2.2.1.17', field: 'netif.packets.unicast.out', moves: traffic(outPackets, idle) },
    { under: '1.3.6.1.2.1.31.1.1.1.6', field: 'netif.bytes.in', moves: traffic(bytesPerSecond, idle) },
    { under: '1.3.6.1.2.1.31.1.1.1.10', field: 'netif.bytes.out', moves: traffic(outBytes, idle) },
    { under: '1.3.6.1.2.1.31.1.1.1.7', field: 'netif.packets.unicast.in', moves: traffic(inPackets, idle) },
    {
      under: '1.3.6.1.2.1.31.1.1.1.11',
      field: 'netif.packets.unicast.out',
      moves: traffic(outPackets, idle),
    },
  ];
}

const switched = interfaces(60_000_000, [7, 8, 9, 10, 16]);
const routed = interfaces(60_000_000, [4]);
/** Slow enough for counters of 32 bits. */
const moderate = interfaces(15_000_000);
const quiet = interfaces(60_000);
const processors = { under: '1.3.6.1.2.1.25.3.3.1.2', field: 'processor.usage', moves: swinging(0.7) };
const sensors = { under: '1.3.6.1.2.1.99.1.1.1.4', field: 'sensor.value', moves: swinging(0.04) };
const stream = { under: '1.3.6.1.2.1.31.1.1.1.6', field: 'netif.bytes.in', moves: steady(5e8) };

const flapping = { under: link.oid, at: alternating(1, 2, 40_000, 15_000) };
const reporting = { under: link.oid, at: alternating(1, 2, link.everyMs, link.downMs) };
const onBattery = [
  { under: upsBatteryStatus, at: alternating(2, 3, 60_000, 20_000) },
  { under: upsSecondsOnBattery, at: alternating(0, 10, 60_000, 20_000) },
  { under: upsOutputSource, at: alternating(3, 5, 60_000, 20_000) },
];

/**
 * Each of them is an entry of definitions/devices/demo.yml, by its port. `moving` are values with a past; `values` only change from now on.
 * @typedef {{ under: string, field: string, moves: import('./made-up-values.js').Movement }} Moving
 * @typedef {{ under: string, at: import('waywiser/testing').ValueFunction }} Changing
 * @type {readonly { port: number, walk: string, moving: readonly Moving[], values?: readonly Changing[], loss?: number, isSilent?: boolean, isSecure?: boolean, rebootsEveryMs?: number }[]}
 */
export const devices = [
  { port: 16101, walk: 'switch', moving: [...switched, sensors] },
  { port: 16102, walk: 'switch', moving: [...switched, sensors], values: [flapping] },
  { port: 16103, walk: 'router', moving: routed },
  { port: 16104, walk: 'router', moving: routed, rebootsEveryMs: 120_000 },
  { port: 16105, walk: 'host', moving: [...moderate, processors] },
  { port: 16106, walk: 'host', moving: [...moderate, processors], loss: 0.1 },
  { port: 16107, walk: 'ups', moving: [], values: onBattery },
  { port: 16108, walk: 'printer', moving: quiet },
  { port: 16109, walk: 'rack-sensors', moving: [sensors] },
  { port: 16110, walk: 'switch', moving: [...switched, sensors], values: [reporting], isSecure: true },
  { port: 16111, walk: 'host', moving: [stream, processors] },
  { port: 16112, walk: 'printer', moving: [], isSilent: true },
];
