import { defineOutput, Type } from '../../../src/index.ts';
import {
  createPoster,
  createTrackedWriter,
  FamilyTable,
  namingOptions,
  postingOptions,
} from '../../../src/output-kit/index.ts';
import { InfoLabels, infoLabelsOption } from '../../../src/output-kit/internal.ts';
import { NegotiatedSender } from './sending/negotiated-sender.ts';
import { InfoWriters } from './series/info-writers.ts';
import { SeriesWalk } from './series/series-walk.ts';

/** Too many requests, which the protocol names; also timeout and too early, which are not about the samples either. */
const retryable = new Set([408, 425, 429]);
/** https://prometheus.io/docs/specs/prw/remote_write_spec/#retries--backoff */
const mayPass = (status: number) => status >= 500 || retryable.has(status);

export default defineOutput({
  name: 'prometheus-remote-write',
  events: false,
  summary: 'Writes to Prometheus, VictoriaMetrics, Mimir and others with remote write 1.0 and 2.0.',
  module: import.meta.url,
  opensLater: true,
  options: Type.Object({
    ...postingOptions,
    protocol: Type.Union([Type.Literal('auto'), Type.Literal('1.0'), Type.Literal('2.0')], {
      default: 'auto',
      description: 'version of remote write: auto, 1.0 or 2.0; auto uses 2.0 if the receiver supports it',
    }),
    ...namingOptions,
    ...infoLabelsOption,
  }),
  open({ options, events, log, queuedBatches }) {
    const stateSets = new Set(options.state_sets);
    const poster = createPoster(options, { log, mayPass });
    const families = new FamilyTable(options.prefix);
    const walk = new SeriesWalk({ families, stateSets, naming: options.naming });
    const infoLabels = new InfoLabels(options.info_labels, options.naming);
    const infoWriters = new InfoWriters();
    const negotiated = new NegotiatedSender({ poster, walk, families, log, protocol: options.protocol });
    return createTrackedWriter(
      {
        maxValues: options.max_request_values,
        maxBytes: options.max_request_bytes,
        isLabel: ({ kind, field }) => (kind === 'text' || kind === 'list') && !stateSets.has(field),
        adapt: (batch) => infoLabels.move(batch, (each) => infoWriters.isWriter(each)),
        follow: (batch) => batch,
        encode: (batches) => negotiated.encode(batches),
        send: (part, batches, signal) => negotiated.send(part, batches, signal),
        close: () => poster.close(),
      },
      { events, queuedBatches },
    );
  },
});
