import { defineOutput, type Secret, Type } from '../../../src/index.ts';
import { createPoster, GroupSender, gzipOption, postingOptions } from '../../../src/output-kit/index.ts';
import { PointRenderer } from './lines/point-renderer.ts';
import { writeTarget } from './write-target.ts';

const unitsPerMs = { ns: 1_000_000, us: 1_000, ms: 1, s: 0.001 } as const;
const choices = <const Choices extends readonly string[]>(names: Choices) =>
  names.map((name) => Type.Literal(name as Choices[number]));

export default defineOutput({
  name: 'influx',
  summary: 'Writes rows as points to InfluxDB 1 and 2 and other servers that accept line protocol.',
  rates: true,
  events: true,
  module: import.meta.url,
  opensLater: true,
  options: Type.Object({
    ...postingOptions,
    ...gzipOption,
    database: Type.Optional(Type.String({ minLength: 1, description: 'database of InfluxDB 1' })),
    retention_policy: Type.Optional(
      Type.String({ minLength: 1, description: 'retention policy of the database' }),
    ),
    bucket: Type.Optional(Type.String({ minLength: 1, description: 'bucket of InfluxDB 2' })),
    org: Type.Optional(Type.String({ minLength: 1, description: 'organisation of the bucket' })),
    precision: Type.Union(choices(['ns', 'us', 'ms', 's']), {
      default: 'ms',
      description: 'precision of times: ns, us, ms or s',
    }),
    counters: Type.Union(choices(['integer', 'unsigned', 'float']), {
      default: 'integer',
      description:
        'how counters are written: integer (63 bits), unsigned (64 bits, if the server supports it) or float',
    }),
    raw_line_ends: Type.Boolean({
      default: false,
      description:
        'write line ends in texts as they are: InfluxDB reads them, other servers may read the next line as a point',
    }),
  }),
  open({ name, options, log }) {
    const { url, version } = writeTarget(name, options);
    const { token, ...rest } = options;
    const isToken2 = version === 2 && token !== undefined;
    const poster = createPoster(
      isToken2
        ? { ...rest, url, secret_headers: { ...rest.secret_headers, ...tokenHeader(token) } }
        : { ...options, url },
      { log },
    );
    const renderer = new PointRenderer({
      counters: options.counters,
      rawLineEnds: options.raw_line_ends,
      unitsPerMs: unitsPerMs[options.precision],
    });
    const sender = new GroupSender({
      maxValues: options.max_request_values,
      maxBytes: options.max_request_bytes,
      encode(batches) {
        const body = renderer.render(batches);
        return body.length === 0 ? undefined : { body, plainBytes: body.length };
      },
      async send({ body }, _, signal) {
        await poster.post({ body, contentType: 'text/plain; charset=utf-8' }, signal);
      },
    });
    return { write: sender.write, close: () => poster.close() };
  },
});

/** InfluxDB 2 does not use the scheme Bearer for its tokens. */
function tokenHeader(token: Secret): Readonly<Record<string, Secret>> {
  return { Authorization: token.derive((value) => `Token ${value}`) };
}
