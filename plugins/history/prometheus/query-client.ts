import { defineErrors, HttpProblem, type Logger } from '../../../src/index.ts';
import { createPoster, extendUrl, type PosterOptions } from '../../../src/output-kit/index.ts';
import { historyErrors } from '../errors.ts';

const failure = defineErrors(historyErrors);
const maxAnswerBytes = 64 << 20;
/** A page of a proxy, or another service. */
const foreign = 'its answer is not one of the query API of Prometheus. Check "url"';

/** A series of the answer, with times in seconds. */
export interface QueriedSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [seconds: number, value: string])[];
}

/** The query API of Prometheus, which VictoriaMetrics, Mimir and Thanos have, too. */
export interface QueryClient {
  /** `parameters` of `query` or `query_range`. Throws an HttpProblem when the server does not answer it. */
  ask(
    path: 'query' | 'query_range',
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly QueriedSeries[]>;
  close(): void;
}

/** Throws when the URL, a header, the login or a TLS file is wrong. */
export function createQueryClient(options: PosterOptions, log: Logger): QueryClient {
  const open = (path: string) =>
    createPoster({ ...options, url: extendUrl(options.url, `/api/v1/${path}`, {}) }, { log, maxAnswerBytes });
  const posters = { query: open('query'), query_range: open('query_range') };
  return {
    async ask(path, parameters, signal) {
      // VictoriaMetrics would move the times of a question that it may keep.
      const body = Buffer.from(new URLSearchParams({ ...parameters, nocache: '1' }).toString());
      try {
        const post = { body, contentType: 'application/x-www-form-urlencoded' };
        const answer = await posters[path].post(post, signal);
        return readAnswer(answer.body);
      } catch (error) {
        signal.throwIfAborted();
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ error, path }, 'The server of the history did not answer a question.');
        const { code, message } = failure('HISTORY_SERVER_FAILED', { reason });
        throw new HttpProblem(502, code, message);
      }
    },
    close() {
      for (const poster of Object.values(posters)) poster.close();
    },
  };
}

function readAnswer(body: Buffer): readonly QueriedSeries[] {
  if (body.length >= maxAnswerBytes) throw new Error('its answer is too long');
  const result = readResult(body);
  const isSeries = ({ metric, values }: QueriedSeries) => isObject(metric) && Array.isArray(values);
  if (!Array.isArray(result) || !result.every((each) => isObject(each) && isSeries(each)))
    throw new Error(foreign);
  return result;
}

function readResult(body: Buffer): unknown {
  let answer: { readonly data?: { readonly result?: unknown } } | null;
  try {
    answer = JSON.parse(body.toString());
  } catch {
    throw new Error(foreign);
  }
  return answer?.data?.result;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
