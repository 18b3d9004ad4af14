import { Type } from '../../src/index.ts';
import { namingOptions, postingOptions } from '../../src/output-kit/index.ts';

const gibibyte = 2 ** 30;

function limits(what: string, maxBytes: number, maxDays: number) {
  return Type.Object(
    {
      max_bytes: Type.Integer({
        minimum: 1 << 20,
        default: maxBytes,
        description: 'most space of this tier; its oldest file is removed first',
      }),
      max_days: Type.Number({
        exclusiveMinimum: 0,
        default: maxDays,
        description: 'files whose values are older are removed',
      }),
    },
    { default: {}, description: what },
  );
}

const { url: _url, max_request_values: _values, max_request_bytes: _bytes, ...loginOptions } = postingOptions;

export const historyOptions = {
  from: Type.Union([Type.Literal('disk'), Type.Literal('prometheus')], {
    default: 'disk',
    description:
      'disk: keep the values here. prometheus: read them from a server with the query API of Prometheus, which another output writes to',
  }),
  url: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description: 'with from: prometheus, the server, such as http://127.0.0.1:8428',
    }),
  ),
  ...loginOptions,
  ...namingOptions,
  polled: limits('values as they were polled', gibibyte, 14),
  five_minutes: limits('minimum, mean, maximum and count of five minutes', 0.75 * gibibyte, 90),
  hours: limits('minimum, mean, maximum and count of an hour', 0.25 * gibibyte, 730),
  flush_seconds: Type.Integer({
    minimum: 1,
    maximum: 3_600,
    default: 60,
    description: 'values of at most so many seconds are lost when the process is killed',
  }),
};
