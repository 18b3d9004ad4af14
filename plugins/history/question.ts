import { fleetQuery } from '../../src/http/index.ts';
import { defineErrors, HttpProblem, type Static, Type } from '../../src/index.ts';
import { historyErrors } from './errors.ts';
import type { HistoryQuestion } from './service.ts';

const failure = defineErrors(historyErrors);
const maxNames = 1_000;

const texts = (description: string) =>
  Type.Union(
    [Type.String({ maxLength: 1024 }), Type.Array(Type.String({ maxLength: 1024 }), { maxItems: maxNames })],
    {
      description,
    },
  );

export const questionSchema = Type.Object(
  {
    device: texts('the name of a device; repeat it for several'),
    record: Type.String({ maxLength: 300, description: 'such as IF-MIB::ifEntry' }),
    row: Type.Optional(texts('the key of a row; repeat it for several; all rows by default')),
    field: Type.Optional(
      texts(
        'such as netif.bytes.in_rate; repeat it for several; by default all fields, with the rates of counters',
      ),
    ),
    from: Type.String({
      maxLength: 40,
      default: '-1h',
      description: 'a date, milliseconds since 1970, or a time before now such as -90s, -15m, -1h, -7d',
    }),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'as from; now by default' })),
    step: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31_536_000,
        description: 'seconds that get one value; by default the values as they were polled',
      }),
    ),
    aggregate: Type.Union(
      [Type.Literal('mean'), Type.Literal('min'), Type.Literal('max'), Type.Literal('count')],
      { default: 'mean', description: 'how the values of a step become one' },
    ),
    format: Type.Union([Type.Literal('json'), Type.Literal('csv')], { default: 'json' }),
    ...fleetQuery,
  },
  { additionalProperties: false },
);

/** Throws a HttpProblem for times that are none. */
export function readQuestion(query: Static<typeof questionSchema>, nowMs: number): HistoryQuestion {
  const fromMs = parseTime('from', query.from, nowMs);
  const toMs = query.to === undefined ? nowMs : parseTime('to', query.to, nowMs);
  if (fromMs >= toMs) {
    const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
    const { code, message } = failure('HISTORY_RANGE_INVALID', { from, to });
    throw new HttpProblem(400, code, message);
  }
  return {
    devices: [query.device].flat(),
    record: query.record,
    rows: query.row === undefined ? undefined : [query.row].flat(),
    fields: query.field === undefined ? undefined : [query.field].flat(),
    fromMs,
    toMs,
    stepMs: query.step === undefined ? undefined : query.step * 1000,
    aggregate: query.aggregate,
  };
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The last time that a Date can have. */
const maxTimeMs = 8.64e15;

function parseTime(name: string, value: string, nowMs: number): number {
  const [, count, unit] = /^-(\d{1,9})([smhd])$/.exec(value) ?? [];
  const timeMs =
    unit !== undefined
      ? nowMs - Number(count) * unitsMs[unit]!
      : /^\d{1,16}$/.test(value)
        ? Number(value)
        : /^\d{4}-/.test(value)
          ? Date.parse(value)
          : Number.NaN;
  if (timeMs >= 0 && timeMs <= maxTimeMs) return timeMs;
  const { code, message } = failure('HISTORY_TIME_INVALID', { name, value });
  throw new HttpProblem(400, code, message);
}
