import remoteWrite from '../../../../plugins/outputs/prometheus-remote-write/index.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { type GivenAnswer, type ReceivedRequest, startHttpReceiver } from '../support/http-receiver.ts';
import { runOutput } from '../support/running-output.ts';
import { readMetadata, readWriteRequest } from './read-write-request.ts';

export const slotMs = 1_700_000_000_000;
export const device = { name: 'router-1', ip: '192.0.2.1', port: 161 };
export const modern: GivenAnswer = {
  status: 204,
  headers: { 'x-prometheus-remote-write-samples-written': '1000000' },
};

export type Answering = (request: ReceivedRequest, count: number) => GivenAnswer | number;

/** Separates requests with metadata from those with samples. */
export async function startWriting(
  answer: Answering,
  options = {},
  metadataAnswer: GivenAnswer | number = 204,
) {
  const requests: ReceivedRequest[] = [];
  const metadata: ReceivedRequest[] = [];
  const receiver = await startHttpReceiver((request) => {
    const isMetadata = readMetadata(request).length > 0;
    const kind = isMetadata ? metadata : requests;
    kind.push(request);
    return isMetadata ? metadataAnswer : answer(request, requests.length);
  });
  const output = await runOutput(remoteWrite, { url: `${receiver.url}/write`, ...options });
  return {
    output,
    deliver: output.deliver,
    requests,
    metadata,
    versions: () => requests.map(({ headers }) => headers['x-prometheus-remote-write-version']),
    series: () => requests.flatMap(readWriteRequest),
    async [Symbol.asyncDispose]() {
      await output[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

export const pollOf = (minute: number, rows: NonNullable<Parameters<typeof createTestBatch>[0]>['rows']) =>
  createTestBatch({
    slotMs: slotMs + minute * 60_000,
    timeMs: slotMs + minute * 60_000 + 250,
    sequence: minute,
    rows: rows!,
  });
