import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { fleetFacts, fleetQuery, fleetRead, isPartOfAnswer, listOf } from '../../src/http/index.ts';
import { HttpProblem, type Static, Type, WaywiserError } from '../../src/index.ts';
import type { SliceTurns } from '../../src/timing/index.ts';
import type { RoutePlugin } from '../http-routes/service.ts';
import { writeCsv, writeJson } from './answer-text.ts';
import { mergeHistories, type SentAnswer, type SentSeries } from './merge-answers.ts';
import { questionSchema, readQuestion } from './question.ts';
import type { History, HistorySeries } from './service.ts';

const gapSchema = Type.Object(
  {
    from: Type.Integer({ description: 'milliseconds since 1970' }),
    to: Type.Integer(),
    why: Type.String({
      description:
        'a gap reason such as down, or unpolled: nothing was polled, because the collector did not run',
    }),
  },
  { title: 'HistoryGap' },
);

const seriesSchema = Type.Object(
  {
    device: Type.String(),
    record: Type.String(),
    row: Type.String({ description: 'the key of the row' }),
    labels: Type.Record(Type.String(), Type.String()),
    field: Type.String(),
    unit: Type.Optional(Type.String()),
    metric: Type.Optional(Type.String({ description: 'counter or gauge' })),
    names: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'of a state: the name of each number' }),
    ),
    values: listOf(Type.Union([Type.Number(), Type.Null()])),
    gaps: listOf(gapSchema),
  },
  {
    title: 'HistorySeries',
    description: 'values over time: one for each of `times`, null where there is none',
  },
);

const schema = {
  operationId: 'getHistory',
  tags: ['devices'],
  summary: 'Values over time',
  description:
    'Series of numbers, one for each device, row and field. Without `step`, values are as polled, and older ones the means of five minutes or an hour.',
  querystring: questionSchema,
  response: {
    200: {
      description: 'The series.',
      content: {
        'application/json': {
          schema: Type.Object(
            {
              times: listOf(
                Type.Number({ description: 'milliseconds since 1970; with a step, when it begins' }),
              ),
              series: listOf(seriesSchema),
              madeUp: Type.Optional(
                Type.Object(
                  { from: Type.Integer({ description: 'milliseconds since 1970' }), to: Type.Integer() },
                  { description: 'the time whose values nobody polled, such as the past of a demonstration' },
                ),
              ),
              ...fleetFacts,
            },
            { title: 'HistoryAnswer' },
          ),
        },
        'text/csv': { schema: Type.String() },
      },
    },
  },
};

const stateAnswer = Type.Object(
  {
    tiers: listOf(
      Type.Object(
        {
          tier: Type.String({ description: 'polled, five_minutes or hours' }),
          bytes: Type.Integer(),
          maxBytes: Type.Integer(),
          maxDays: Type.Number(),
          from: Type.Optional(
            Type.String({
              format: 'date-time',
              description: 'the oldest value; absent while there is none',
            }),
          ),
          to: Type.Optional(Type.String({ format: 'date-time' })),
        },
        { title: 'HistoryTier' },
      ),
    ),
    values: Type.Integer({ description: 'numbers that were taken since the start' }),
    lostBatches: Type.Integer({ description: 'batches that the disk did not accept' }),
    droppedFiles: Type.Integer({ description: 'files that were removed because the disk was full' }),
    damagedFiles: listOf(Type.String()),
    newerFiles: listOf(
      Type.String({ description: 'a file that a newer version wrote: its values are left out' }),
    ),
    ...fleetFacts,
  },
  { title: 'HistoryState' },
);

type StateAnswer = Static<typeof stateAnswer>;

const stateSchema = {
  operationId: 'getHistoryState',
  tags: ['collector'],
  summary: 'How far back the history reaches',
  querystring: Type.Object(fleetQuery, { additionalProperties: false }),
  response: { 200: stateAnswer },
};

type Query = Static<typeof questionSchema>;

/**
 * Serves `GET /api/v1/history` and `GET /api/v1/history/state`. In a cluster all members answer, because a device may have moved. `isShared`: all
 * of them read from the same server. Answers are written in `turns`.
 */
export function historyRoutes(history: History, turns: SliceTurns, isShared: boolean): RoutePlugin {
  return async (app, { stopping }) => {
    const config = fleetRead<SentAnswer, Query>((answers, query) => mergeHistories(answers, query, isShared));
    app.get('/api/v1/history', { config, schema }, async (request, reply) => {
      const { query } = request;
      const question = readQuestion(query, Date.now());
      const signal = AbortSignal.any([stopping, whenGone(reply)]);
      const answer = await history.ask(question, signal).catch((error: unknown) => {
        // Nobody is there to be answered.
        if (reply.raw.destroyed) return undefined;
        throw asProblem(error);
      });
      if (answer === undefined) return reply.hijack();
      const { times, series, madeUp } = answer;
      const sent: SentSeries[] = [];
      for (const each of series) {
        await turns.rest();
        sent.push(toSent(each));
      }
      void reply.header('cache-control', 'no-store');
      // Another member joins this answer with others.
      const isCsv = query.format === 'csv' && !isPartOfAnswer(request);
      const write = isCsv ? writeCsv : writeJson;
      void reply.type(isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
      // Called when the answers of all members are one. The type of a serializer does not know streams.
      void reply.serializer((answer) => Readable.from(write(answer as SentAnswer, turns)) as never);
      return reply.send({
        times,
        series: sent,
        ...(madeUp === undefined ? {} : { madeUp: { from: madeUp.fromMs, to: madeUp.toMs } }),
      } as never);
    });
    app.get('/api/v1/history/state', { config: fleetRead(mergeStates), schema: stateSchema }, async () => {
      const { tiers, ...state } = history.state;
      return {
        ...state,
        tiers: tiers.map(({ fromMs, toMs, ...tier }) => ({
          ...tier,
          ...(fromMs === undefined ? {} : { from: new Date(fromMs).toISOString() }),
          ...(toMs === undefined ? {} : { to: new Date(toMs).toISOString() }),
        })),
      };
    });
  };
}

/** Aborts when the client ends its connection before the whole answer is sent. */
function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const end = () => gone.abort(new Error('The client ended its connection.'));
  if (raw.destroyed) end();
  raw.once('close', () => {
    if (!raw.writableFinished) end();
  });
  return gone.signal;
}

function toSent({ names, gaps, ...rest }: HistorySeries): SentSeries {
  return {
    ...rest,
    ...(names === undefined ? {} : { names: Object.fromEntries(names) }),
    gaps: gaps.map(({ fromMs, toMs, why }) => ({ from: fromMs, to: toMs, why })),
  };
}

/** What several members keep. Times in ISO 8601 are in their order as texts. */
function mergeStates(answers: readonly StateAnswer[]): StateAnswer {
  const sum = (read: (answer: StateAnswer) => number) =>
    answers.reduce((total, answer) => total + read(answer), 0);
  return {
    tiers: answers[0]!.tiers.map(({ tier, maxDays }) => {
      const all = answers.flatMap(({ tiers }) => tiers.filter((each) => each.tier === tier));
      const [from] = all.flatMap((each) => each.from ?? []).sort();
      const to = all
        .flatMap((each) => each.to ?? [])
        .sort()
        .at(-1);
      return {
        tier,
        bytes: all.reduce((total, { bytes }) => total + bytes, 0),
        maxBytes: all.reduce((total, { maxBytes }) => total + maxBytes, 0),
        maxDays,
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      };
    }),
    values: sum(({ values }) => values),
    lostBatches: sum(({ lostBatches }) => lostBatches),
    droppedFiles: sum(({ droppedFiles }) => droppedFiles),
    damagedFiles: answers.flatMap(({ damagedFiles }) => damagedFiles),
    newerFiles: answers.flatMap(({ newerFiles = [] }) => newerFiles),
  };
}

const statuses: Readonly<Record<string, number>> = {
  HISTORY_TOO_MANY_VALUES: 422,
};

function asProblem(error: unknown): unknown {
  if (!(error instanceof WaywiserError)) return error;
  const { code, message } = error;
  return statuses[code] === undefined ? error : new HttpProblem(statuses[code], code, message);
}
