import {
  type DeviceRef,
  defineErrors,
  defineSource,
  type EventMap,
  type EventName,
  ownRecord,
  pipelineToken,
  Type,
} from '../../src/index.ts';
import { eventsErrors } from './errors.ts';
import { type EventRow, eventRecords } from './event-records.ts';

const failure = defineErrors(eventsErrors);

const names = Object.keys(eventRecords) as EventName[];
const groups = [...new Set(names.map((name) => `${name.split('.')[0]}.*`))];

export default defineSource({
  name: 'events',
  summary:
    'Sends events to outputs: states of devices, renumbered rows, misordered tables, discoveries, scans, definitions, outputs.',
  options: Type.Object({
    outputs: Type.Array(Type.String({ description: 'name of an output in the configuration' }), {
      minItems: 1,
      description: 'outputs that receive the events',
    }),
    events: Type.Array(
      Type.Union(
        [...groups, ...names].map((name) => Type.Literal(name)),
        { description: 'name of an event, or all events of a kind: device.*' },
      ),
      {
        default: [
          'definitions.*',
          'device.*',
          'discovery.completed',
          'discovery.failed',
          'scan.completed',
          'scan.failed',
          'output.*',
          'collector.*',
        ],
        description: 'which events to send: names, or kinds such as device.*',
      },
    ),
  }),
  needs: { pipeline: pipelineToken },
  check: ({ options, outputs }) => checkOutputs(options.outputs, outputs),
  open({ options, needs: { pipeline }, events, collector, push }) {
    const outputs = new Set(options.outputs);
    // Outputs start before sources, so all of them are there.
    checkOutputs(outputs, Object.keys(pipeline.counters.outputs));
    const own: DeviceRef = { name: collector.instance, ip: 'localhost', port: 0 };
    let count = 0;
    let generation = 0;

    const send = <Name extends EventName>(name: Name, event: EventMap[Name]) => {
      const device = 'device' in event ? event.device : own;
      const id = ++count;
      for (const [record, rows] of Object.entries(eventRecords[name](event))) {
        if (rows.length === 0) continue;
        const measured = {
          device,
          generation,
          plan: ownRecord('events'),
          record: ownRecord(record),
          kind: 'event' as const,
          rows: nameRows(rows, id),
        };
        push(measured, receivers(name, event));
      }
    };
    // An output that drops batches would drop the notice too.
    const receivers = <Name extends EventName>(name: Name, event: EventMap[Name]) =>
      name === 'output.dropped' && 'output' in event ? without(outputs, event.output) : outputs;

    events.on('definitions.changed', (event) => {
      generation = event.generation;
    });
    const wanted = new Set<string>(options.events);
    for (const name of names) {
      const isWanted = wanted.has(name) || wanted.has(`${name.split('.')[0]}.*`);
      if (isWanted) events.on(name, (event) => send(name, event));
    }
  },
});

/** Rows with unique keys, and with their labels and values under `event.`. */
function nameRows(rows: readonly EventRow[], id: number) {
  return rows.map(({ labels = {}, values }, row) => ({
    key: rows.length === 1 ? `${id}` : `${id}.${row + 1}`,
    labels: addPrefix(labels),
    values: addPrefix(values),
  }));
}

function addPrefix<T>(map: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [`event.${name}`, value]));
}

function without(outputs: ReadonlySet<string>, one: string): ReadonlySet<string> {
  return new Set([...outputs].filter((output) => output !== one));
}

function checkOutputs(outputs: Iterable<string>, known: readonly string[]): void {
  for (const output of outputs) {
    if (known.includes(output)) continue;
    throw failure('EVENTS_OUTPUT_UNKNOWN', { output, known: known.join(', ') || 'none' });
  }
}
