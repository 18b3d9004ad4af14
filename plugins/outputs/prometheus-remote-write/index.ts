import { type Batch, type Column, defineOutput, pipelineToken, Type } from '../../../src/index.ts';
import { createPoster, GroupSender, postingOptions } from '../http/service.ts';
import { FamilyTable, SeriesLives } from '../prometheus/service.ts';
import { NegotiatedSender } from './sending/negotiated-sender.ts';
import { SeriesWalk } from './series/series-walk.ts';

export default defineOutput({
  name: 'prometheus-remote-write',
  summary: 'Writes to Prometheus, VictoriaMetrics, Mimir and others by remote write 1.0 and 2.0.',
  options: Type.Object({
    ...postingOptions,
    protocol: Type.Union([Type.Literal('auto'), Type.Literal('1.0'), Type.Literal('2.0')], {
      default: 'auto',
      description: 'auto, 1.0 or 2.0: auto is 2.0 as long as the receiver takes it',
    }),
    prefix: Type.String({
      pattern: '^[a-z_][a-z0-9_]*$',
      default: 'snmp_',
      description: 'what every name begins with',
    }),
    state_sets: Type.Array(Type.String(), {
      default: [],
      description: 'fields of named values that become state sets instead of labels of an info metric',
    }),
  }),
  needs: { pipeline: pipelineToken },
  open({ name, options, needs, events, log }) {
    const stateSets = new Set(options.state_sets);
    const isLabel = ({ kind, field }: Column) =>
      (kind === 'text' || kind === 'list') && !stateSets.has(field);
    const lives = new SeriesLives(isLabel);
    events.on('device.removed', ({ device }) => lives.end(device, Date.now()));
    events.on('device.state', ({ device, to }) => {
      if (to === 'down') lives.end(device, Date.now());
    });
    const poster = createPoster(options);
    const walk = new SeriesWalk({ families: new FamilyTable(options.prefix), stateSets });
    const negotiated = new NegotiatedSender({ poster, walk, log, protocol: options.protocol });
    const createSender = (prepare: (group: readonly Batch[]) => ReturnType<SeriesLives['follow']>) =>
      new GroupSender({
        maxValues: options.max_request_values,
        maxBytes: options.max_request_bytes,
        prepare,
        encode: (batches) => negotiated.encode(batches),
        send: (part, batches, signal) => negotiated.send(part, batches, signal),
      });
    const stopEnds = lives.sendWhenIdle({
      queuedBatches: () => needs.pipeline.counters.outputs[name]?.queued ?? 0,
      write: createSender(() => lives.takeEnds()).write,
    });
    return {
      write: createSender((group) => lives.follow(group)).write,
      async close() {
        await stopEnds();
        poster.close();
      },
    };
  },
});
