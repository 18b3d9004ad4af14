import type { Column } from '../../../../src/index.ts';
import { hasSameTags } from '../../../../src/model/index.ts';
import { RowCache } from '../../../../src/output-kit/index.ts';
import { isCounter } from '../counters/counter-cells.ts';
import type { Temporality, TimedBatch } from '../counters/counter-times.ts';
import { type Attribute, listRowAttributes, resourceAttributes, textAttributes } from './attributes.ts';
import { findConvention, listStatus, multiply } from './conventions.ts';
import type { DeviceMetrics, Metric } from './metric.ts';

export function countPoints(devices: readonly DeviceMetrics[]): number {
  let count = 0;
  for (const { metrics } of devices) for (const { rows } of metrics) count += rows.length;
  return count;
}

/** Describes batches as metrics of OpenTelemetry. */
export class MetricWalk {
  readonly #settings: { readonly serviceName: string; readonly temporality: Temporality };
  /** The same lists while the rows stay the same, so that an encoder can reuse what it made of them. */
  readonly #attributes = new RowCache<Attribute[][]>();

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
    const attributes = this.#attributes.get(batch, listRowAttributes);
    const allRows = Array.from({ length: batch.rows.count }, (_, row) => row);
    const startsOf = alignStarts(batch);
    const metrics: Metric[] = [];
    for (const column of batch.columns) {
      if (column.kind === 'text' || column.kind === 'list') continue;
      const { gaps } = column;
      const rows = gaps === undefined ? allRows : allRows.filter((row) => gaps[row] === 0);
      const startsMs = isCounter(column) ? startsOf(column.field) : undefined;
      const convention = findConvention(batch.record, column);
      const own = convention?.attribute;
      metrics.push({
        name: convention?.name ?? metricName(column.field),
        unit: convention?.unit ?? unitCode(column.unit),
        sum: isCounter(column) ? this.#settings.temporality : undefined,
        timeMs: batch.slotMs,
        rows,
        attributes,
        ...(startsMs === undefined ? {} : { startsMs }),
        ...(own === undefined ? {} : { texts: allRows.map(() => [own]) }),
        values: batch.ends ? 'none' : multiply(column, convention?.times ?? 1),
      });
    }
    if (batch.record === 'sensor') metrics.push(...describeStates(batch, attributes, allRows));
    metrics.push(describeTexts(batch, attributes, allRows));
    return metrics.filter(({ rows }) => rows.length > 0);
  }
}

/** Returns the start times of a field in the order of the rows. For a part of a batch, `places` refers to the whole batch. */
function alignStarts({ rows, places, startsMs }: TimedBatch): (field: string) => Float64Array | undefined {
  const ownPlaces = rows.keys.map((key) => places.get(key) ?? -1);
  const isAligned = ownPlaces.every((place, row) => place === row);
  return (field) => {
    const starts = startsMs.get(field);
    if (starts === undefined || isAligned) return starts;
    return Float64Array.from(ownPlaces, (place) => starts[place] ?? Number.NaN);
  };
}

/** The states of sensors as `hw.status`. */
function describeStates(batch: TimedBatch, attributes: Attribute[][], allRows: readonly number[]): Metric[] {
  const states = batch.columns.find(({ field }) => field === 'sensor.state');
  if (states === undefined) return [];
  const rows = allRows.filter((row) => (states.gaps?.[row] ?? 0) === 0);
  return listStatus(states).map(({ state, column }) => ({
    name: 'hw.status',
    unit: '1',
    sum: undefined,
    timeMs: batch.slotMs,
    rows,
    attributes,
    texts: allRows.map(() => [['hw.state', state] as const]),
    values: batch.ends ? 'none' : column,
  }));
}

/** One point per row with texts: they are its attributes, and its value is 1. */
function describeTexts(batch: TimedBatch, attributes: Attribute[][], allRows: readonly number[]): Metric {
  const columns = batch.columns.filter(isText);
  const texts = allRows.map((row) => textAttributes(attributes[row]!, columns, row));
  return {
    name: infoName(batch.record),
    unit: '',
    sum: undefined,
    timeMs: batch.slotMs,
    rows: allRows.filter((row) => texts[row]!.length > 0),
    attributes,
    texts,
    values: batch.ends ? 'none' : 'one',
  };
}

function isText({ kind }: Column): boolean {
  return kind === 'text' || kind === 'list';
}

function isSameResource(a: TimedBatch, b: TimedBatch): boolean {
  return (
    a.device.ip === b.device.ip &&
    a.device.port === b.device.port &&
    a.device.name === b.device.name &&
    hasSameTags(a.tags, b.tags)
  );
}

const maxLength = 255;

/** Makes a valid instrument name of OpenTelemetry: a letter, then letters, digits, `_`, `.`, `-` and `/`. */
function metricName(field: string): string {
  const name = field.replace(/[^A-Za-z0-9_.\-/]+/g, '_').slice(0, maxLength - 2);
  return /^[A-Za-z]/.test(name) ? name : `f_${name}`;
}

/** The name of the metric with the texts of a record: `IF-MIB::ifEntry` becomes `if-mib_ifentry.info`. */
function infoName(record: string): string {
  return metricName(`${record.toLowerCase()}.info`);
}

/** Units in UCUM, which OpenTelemetry requires. Other units are sent as they are. */
const unitCodes: Readonly<Record<string, string>> = {
  B: 'By',
  '/s': '1/s',
  '°C': 'Cel',
  VA: 'V.A',
  dBm: 'dB[mW]',
  dBmV: 'dB[mV]',
};

function unitCode(unit: string | undefined): string {
  return unit === undefined ? '' : (unitCodes[unit] ?? unit);
}
