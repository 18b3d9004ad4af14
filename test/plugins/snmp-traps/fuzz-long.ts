import { argv } from 'node:process';
import { ColumnFinder } from '../../../plugins/snmp-traps/decoding/column-finder.ts';
import { NotificationDecoder } from '../../../plugins/snmp-traps/decoding/notification-decoder.ts';
import { WireReader, writeNotification } from '../../../plugins/snmp-traps/receiving/wire-form.ts';
import { DeviceFinder } from '../../../plugins/snmp-traps/senders/device-finder.ts';
import { TrapIntake } from '../../../plugins/snmp-traps/trap-intake.ts';
import { runToEnd } from '../../../src/timing/slices.ts';
import { loadShippedDefinitions } from '../../shipped/shipped.ts';
import { fuzz } from '../../snmp/fuzz/fuzz.ts';
import { notificationSeeds } from '../../snmp/fuzz/notification-seeds.ts';

/** usage: fuzz-long [PACKETS=1000000] [SEED]. Mutated notifications, from the datagram to the record. Needs --expose-gc. */
const packets = Number(argv[2] ?? 1_000_000);
const seed = Number(argv[3] ?? Date.now() % 2 ** 31);
const collect = globalThis.gc;
if (collect === undefined) throw new Error('Start it with --expose-gc, as npm run fuzz does.');

const { compiled } = loadShippedDefinitions();
let recorded = 0;
const intake = new TrapIntake({
  options: {
    outputs: [],
    varbinds: 'all',
    keep: 1_000,
    events_per_second: 200,
    overrides: {},
    informs: { acknowledge: 'accepted' },
    repeats: { within_s: 0 },
  },
  pipeline: {
    isPaused: false,
    push() {
      recorded++;
      return true;
    },
  },
  events: { on: () => () => {}, emit() {} },
  finder: new DeviceFinder({
    registry: { devices: () => [] },
    relays: [],
    findInventory: () => undefined,
    listEngines: () => [],
  }),
  findInventory: () => undefined,
  findLabels: () => undefined,
  onAccepted() {},
});
const columns = runToEnd(ColumnFinder.build(compiled));
intake.useDecoder(new NotificationDecoder(1, compiled, columns, {}), compiled);
const seeds = () =>
  notificationSeeds((notification) => {
    const wire: Parameters<typeof writeNotification>[2] = [];
    writeNotification(notification, Date.now(), wire);
    intake.take(new WireReader(wire).next());
  });

fuzz(50_000, seed, seeds());
collect();
const before = process.memoryUsage().heapUsed;
const result = fuzz(packets, seed, seeds());
collect();
const heapGrowthMiB = Math.round((process.memoryUsage().heapUsed - before) / 2 ** 20);
const isGood = result.slowestMs <= 5 && heapGrowthMiB <= 20 && recorded > packets / 100;
console.log(JSON.stringify({ ...result, seed, recorded, heapGrowthMiB, isGood }));
process.exitCode = isGood ? 0 : 1;
