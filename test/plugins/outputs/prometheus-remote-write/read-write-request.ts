import assert from 'node:assert/strict';
import { uncompress } from 'snappyjs';
import type { ReceivedRequest } from '../support/http-receiver.ts';
import { type MessageSchema, type ReadMessage, readMessage } from '../support/protobuf-reader.ts';
import { writeRequest1, writeRequest2 } from './write-request-schema.ts';

export interface ReadSeries {
  readonly labels: Readonly<Record<string, string>>;
  /** 'stale' for the marker. */
  readonly value: number | 'stale';
  readonly timestamp: number;
  readonly start?: number | undefined;
  readonly type?: number;
  readonly help?: string;
  readonly unit?: string;
}

/** Reads the series of a request of either version, and checks everything that the specifications require of senders. */
export function readWriteRequest(request: ReceivedRequest): ReadSeries[] {
  const { bytes, is2, read } = openRequest(request);
  const series = is2 ? readSeries2(read(writeRequest2)) : readSeries1(read(writeRequest1));
  const stale = series.filter(({ value }) => value === 'stale');
  assert.equal(countOf(staleMarker, bytes), stale.length, 'a not-a-number that is no marker');
  return series;
}

/** Reads the metadata of a request of 1.0, by name. A request has either metadata or series. */
export function readMetadata(
  request: ReceivedRequest,
): readonly (readonly [string, number, string, string])[] {
  const { is2, read } = openRequest(request);
  if (is2) return [];
  const { metadata = [], timeseries = [] } = read(writeRequest1);
  assert.ok(metadata.length === 0 || timeseries.length === 0);
  return metadata.map(({ metric_family_name: name, type, help, unit }) => [name, type, help, unit ?? '']);
}

function openRequest({ method, headers, body }: ReceivedRequest) {
  assert.equal(method, 'POST');
  assert.equal(headers['content-encoding'], 'snappy');
  assert.match(headers['user-agent'] ?? '', /./);
  const is2 = headers['x-prometheus-remote-write-version'] === '2.0.0';
  if (!is2) assert.equal(headers['x-prometheus-remote-write-version'], '0.1.0');
  assert.equal(
    headers['content-type'],
    is2 ? 'application/x-protobuf;proto=io.prometheus.write.v2.Request' : 'application/x-protobuf',
  );
  const bytes = Buffer.from(uncompress(body));
  const read = (schema: MessageSchema) => readMessage(bytes, schema) as unknown as RawRequest;
  return { bytes, is2, read };
}

interface RawSample {
  readonly value: number;
  readonly timestamp: bigint;
  readonly start_timestamp?: bigint;
}

interface RawRequest {
  readonly metadata?: readonly {
    readonly type: number;
    readonly metric_family_name: string;
    readonly help: string;
    readonly unit?: string;
  }[];
  readonly symbols: readonly string[];
  readonly timeseries?: readonly {
    readonly labels: readonly { readonly name: string; readonly value: string }[];
    readonly labels_refs: readonly number[];
    readonly samples: readonly RawSample[];
    readonly metadata: ReadMessage & {
      readonly type: number;
      readonly help_ref: number;
      readonly unit_ref: number;
    };
  }[];
}

function readSeries1({ timeseries = [] }: RawRequest): ReadSeries[] {
  return timeseries.map(({ labels, samples }) => ({
    labels: checkLabels(labels.map(({ name, value }) => [name, value])),
    ...checkSample(samples),
  }));
}

function readSeries2({ symbols, timeseries = [] }: RawRequest): ReadSeries[] {
  assert.equal(symbols[0], '');
  assert.equal(new Set(symbols).size, symbols.length, 'a symbol is there twice');
  const symbol = (reference: number) => {
    assert.ok(reference < symbols.length, 'a reference to nothing');
    return symbols[reference]!;
  };
  return timeseries.map(({ labels_refs: references, samples, metadata }) => {
    assert.equal(references.length % 2, 0);
    const names = references.filter((_, i) => i % 2 === 0).map(symbol);
    const values = references.filter((_, i) => i % 2 === 1).map(symbol);
    return {
      labels: checkLabels(names.map((name, i) => [name, values[i]!])),
      ...checkSample(samples),
      type: metadata.type,
      help: symbol(metadata.help_ref),
      unit: symbol(metadata.unit_ref),
    };
  });
}

function checkLabels(labels: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const names = labels.map(([name]) => name);
  assert.deepEqual(names, [...new Set(names)].sort(), 'labels are not sorted, or twice');
  assert.equal(names[0], '__name__');
  for (const [name, value] of labels) {
    assert.match(name, /^[a-zA-Z_][a-zA-Z0-9_]*$/);
    assert.notEqual(value, '', `the label ${name} is empty`);
  }
  return Object.fromEntries(labels);
}

function checkSample(samples: readonly RawSample[]) {
  assert.equal(samples.length, 1);
  const { value, timestamp, start_timestamp: start } = samples[0]!;
  return {
    value: Number.isNaN(value) ? ('stale' as const) : value,
    timestamp: Number(timestamp),
    ...(start === undefined ? {} : { start: Number(start) }),
  };
}

/** 0x7ff0000000000002, the low byte first. */
const staleMarker = Buffer.from('020000000000f07f', 'hex');

function countOf(part: Buffer, whole: Buffer): number {
  let count = 0;
  for (let at = whole.indexOf(part); at !== -1; at = whole.indexOf(part, at + 1)) count++;
  return count;
}
