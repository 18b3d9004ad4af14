import colours from 'picocolors';
import type { ValueExplanation, ValueField } from '../../../plugins/snmp-poller/service.ts';
import { plainText, shorten } from '../terminal/plain-text.ts';
import { formatPairs } from '../terminal/table.ts';

const maxValueCharacters = 120;

/** The story of a value, one line a step, in the order in which it comes to be. */
export function formatExplanation(explanation: ValueExplanation): string {
  const { device, object, instance, attribute, verdict, reading } = explanation;
  const isThere = reading !== undefined && reading.raw !== undefined;
  const steps = listSteps(explanation);
  return [
    `${colours.bold(device.name)}  ${object}.${instance}  ${attribute}`,
    (isThere ? colours.green : colours.yellow)(plainText(verdict)),
    '',
    formatPairs(steps.map(([step, text]) => [step, plainText(text)])),
  ].join('\n');
}

type Step = readonly [step: string, text: string];

function listSteps(explanation: ValueExplanation): Step[] {
  const { definition, broughtInBy, status, inventory, reading, lastFailure } = explanation;
  const { file, line, column, decoding } = definition;
  const steps: Step[] = [
    ['defined', `${file}:${line}, column ${column}`],
    ...listed(
      'brought in',
      broughtInBy.map(({ deviceGroup, objectGroup }) => `device group ${deviceGroup} → ${objectGroup}`),
    ),
    ['device', `${status.state} since ${timeOf(status.sinceMs)}: ${status.why}`],
    ['inventory', inventory === undefined ? 'none' : describeInventory(inventory)],
  ];
  if (reading !== undefined) {
    const { oid, plan, everyMs, request } = reading;
    steps.push(
      ['read', `${oid}, every ${everyMs / 1000} s (${plan})`],
      ['request', `with ${request.columns} column(s) at ${request.rows} instance(s)`],
      ['raw', describeRaw(reading)],
    );
  }
  steps.push(['decoded', describeDecoding(decoding)]);
  steps.push(
    ...listed('written', reading === undefined ? definition.fields : reading.fields.map(describeField)),
  );
  if (lastFailure !== undefined) {
    steps.push(['last failure', `${lastFailure.code} at ${timeOf(lastFailure.atMs)}`]);
  }
  return steps;
}

/** The first line is named, the others stand below it. */
function listed(step: string, texts: readonly string[]): Step[] {
  return (texts.length === 0 ? ['by nothing'] : texts).map((text, i) => [i === 0 ? step : '', text]);
}

function describeInventory({
  version,
  discoveredMs,
  instances,
  isOutdated,
  partial,
}: NonNullable<ValueExplanation['inventory']>): string {
  const found =
    instances === undefined ? 'the object was not looked for' : `${instances} instance(s) of the object`;
  const outdated = isOutdated ? ', whose definition has changed since' : '';
  const cut = partial === undefined ? '' : `, not to the end: ${partial}`;
  return `version ${version} of ${timeOf(discoveredMs)}, ${found}${outdated}${cut}`;
}

function describeRaw({ raw, gap, slotMs }: NonNullable<ValueExplanation['reading']>): string {
  if (raw !== undefined) return `${raw.type} ${shorten(raw.value, maxValueCharacters)} at ${timeOf(slotMs)}`;
  return slotMs === 0 ? 'nothing yet' : `missing at ${timeOf(slotMs)}: ${gap}`;
}

function describeDecoding({
  syntax,
  description,
  scale,
  scaledBy,
  enum: names,
}: ValueExplanation['definition']['decoding']): string {
  const factor = scale.times !== 1 ? `; × ${scale.times}` : scale.over !== 1 ? `; ÷ ${scale.over}` : '';
  const others = scaledBy.map(({ attribute }) => attribute).join(' and ');
  const byRow = others === '' ? '' : `; × 10 to the power that ${others} say`;
  return `${syntax}: ${description}${factor}${byRow}${names === undefined ? '' : `; named by ${names}`}`;
}

function describeField({ record, field, value, unit = '', gap, isLabel }: ValueField): string {
  const place = `${field}${isLabel ? ' (label)' : ''} of ${record}`;
  if (value === undefined) return `${place}: ${gap === undefined ? 'nothing' : `missing, ${gap}`}`;
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return `${place}: ${shorten(text, maxValueCharacters)} ${unit}`.trimEnd();
}

function timeOf(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z/, ' UTC');
}
