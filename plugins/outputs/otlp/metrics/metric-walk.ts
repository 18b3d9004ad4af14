import type { Column } from '../../../../src/index.ts';
import { RowMemory } from '../../http/service.ts';
import { isCounter } from '../counters/counter-cells.ts';
import type { Temporality, TimedBatch } from '../counters/counter-times.ts';
import type { Attribute } from './attribute.ts';
import { infoName, metricName } from './metric-name.ts';
import { resourceAttributes } from './resource.ts';
import { listRowAttributes, textAttributes } from './row-attributes.ts';
import { unitCode } from './unit-codes.ts';

export type PointValue =
  | { readonly kind: 'double'; readonly double: number }
  | { readonly kind: 'integer'; readonly low: number; readonly high: number }
  /** The series has ended. */
  | { readonly kind: 'none' };

export interface Point {
  readonly attributes: readonly Attribute[];
  readonly startMs: number | undefined;
  readonly timeMs: number;
  readonly value: PointValue;
}

export interface Metric {
  readonly name: string;
  readonly unit: string;
  /** Undefined for a gauge. */
  readonly sum: Temporality | undefined;
  readonly points: readonly Point[];
}

/** All of one device that follows each other in a group. */
export interface DeviceMetrics {
  readonly resource: readonly Attribute[];
  readonly metrics: readonly Metric[];
}

/** Describes batches as OpenTelemetry sees them. */
export class MetricWalk {
  readonly #settings: { readonly serviceName: string; readonly temporality: Temporality };
  /** The same lists as long as the rows stay, so that an encoder can remember what it made of them. */
  readonly #attributes = new RowMemory<Attribute[][]>();

  constructor(settings: { readonly serviceName: string; readonly temporality: Temporality }) {
    this.#settings = settings;
  }

  walk(batches: readonly TimedBatch[]): DeviceMetrics[] {
    const devices: { batch: TimedBatch; resource: readonly Attribute[]; metrics: Metric[] }[] = [];
    for (const batch of batches) {
      const metrics = this.#listMetrics(batch);
      if (metrics.length === 0) continue;
      const last = devices.at(-1);
      if (last !== undefined && isSameResource(last.batch, batch)) last.metrics.push(...metrics);
      else {
        const resource = resourceAttributes(batch, this.#settings.serviceName);
        devices.push({ batch, resource, metrics });
      }
    }
    return devices;
  }

  #listMetrics(batch: TimedBatch): Metric[] {
    const rows = this.#attributes.get(batch, listRowAttributes);
    const numbers = batch.columns.filter((column) => !isText(column));
    const metrics = numbers.map(
      (column): Metric => ({
        name: metricName(column.field),
        unit: unitCode(column.unit),
        sum: isCounter(column) ? this.#settings.temporality : undefined,
        points: listPoints(batch, column, rows),
      }),
    );
    const info = { name: infoName(batch.record), unit: '', sum: undefined, points: listTexts(batch, rows) };
    return [...metrics, info].filter(({ points }) => points.length > 0);
  }
}

function listPoints(batch: TimedBatch, column: Column, rows: readonly Attribute[][]): Point[] {
  const starts = isCounter(column) ? batch.startsMs.get(column.field) : undefined;
  const points: Point[] = [];
  for (let row = 0; row < rows.length; row++) {
    if (column.gaps !== undefined && column.gaps[row] !== 0) continue;
    const startMs = starts?.[batch.places.get(batch.rows.keys[row]!) ?? -1];
    points.push({
      attributes: rows[row]!,
      startMs: startMs === undefined || Number.isNaN(startMs) ? undefined : startMs,
      timeMs: batch.slotMs,
      value: batch.ends ? { kind: 'none' } : pointValue(column, row),
    });
  }
  return points;
}

/** One point a row that has texts: they are its attributes, and its value is 1. */
function listTexts(batch: TimedBatch, rows: readonly Attribute[][]): Point[] {
  const texts = batch.columns.filter(isText);
  return rows.flatMap((own, row): Point[] => {
    const attributes = textAttributes(own, texts, row);
    if (attributes.length === 0) return [];
    const value: PointValue = batch.ends ? { kind: 'none' } : { kind: 'double', double: 1 };
    return [{ attributes: [...own, ...attributes], startMs: undefined, timeMs: batch.slotMs, value }];
  });
}

/** An integer of a point is signed: a counter beyond that is a double. */
function pointValue(column: Column, row: number): PointValue {
  switch (column.kind) {
    case 'counter': {
      const [low, high] = [column.words[2 * row]!, column.words[2 * row + 1]!];
      const isSigned = high < 0x80000000;
      return isSigned
        ? { kind: 'integer', low, high }
        : { kind: 'double', double: high * 0x1_0000_0000 + low };
    }
    case 'number':
      return { kind: 'double', double: column.values[row]! };
    default:
      return { kind: 'integer', low: Number(column.values[row]), high: 0 };
  }
}

function isText({ kind }: Column): boolean {
  return kind === 'text' || kind === 'list';
}

function isSameResource(a: TimedBatch, b: TimedBatch): boolean {
  return (
    a.device.ip === b.device.ip &&
    a.device.port === b.device.port &&
    a.device.name === b.device.name &&
    a.tags === b.tags
  );
}
