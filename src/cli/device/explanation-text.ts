import colours from 'picocolors';
import type { ValueExplanation, ValueField } from '../../../plugins/snmp-poller/service.ts';
import { counted } from '../terminal/counted.ts';
import { plainText, shorten } from '../terminal/plain-text.ts';
import { formatPairs } from '../terminal/table.ts';

const maxValueCharacters = 120;

/** What is shown of an explanation, from wherever it comes. */
export interface ToldExplanation extends MayLack<Omit<ValueExplanation, 'status' | 'definition'>> {
  readonly status: { readonly state: string; readonly sinceMs: number; readonly why: string };
  readonly definition: MayLack<Omit<ValueExplanation['definition'], 'decoding'>> & {
    readonly decoding: MayLack<Omit<ValueExplanation['definition']['decoding'], 'kind'>>;
  };
}

/** As JSON has it: what is undefined is not there. */
type MayLack<T> = T extends readonly (infer Element)[]
  ? readonly MayLack<Element>[]
  : T extends object
    ? { [Key in keyof T as undefined extends T[Key] ? never : Key]: MayLack<T[Key]> } & {
        [Key in keyof T as undefined extends T[Key] ? Key : never]?: MayLack<T[Key]>;
      }
    : T;

/** The story of a value, one line a step, in the order in which it comes to be. */
export function formatExplanation(explanation: ToldExplanation): string {
  const { device, object, instance, attribute, context, verdict, reading } = explanation;
  const isThere = reading !== undefined && reading.raw !== undefined;
  const steps = listSteps(explanation);
  const inContext =
    context === undefined ? '' : `  context ${context === '' ? '(default)' : plainText(context)}`;
  return [
    `${colours.bold(device.name)}  ${object}.${instance}  ${attribute}${inContext}`,
    (isThere ? colours.green : colours.yellow)(plainText(verdict)),
    '',
    formatPairs(steps.map(([step, text]) => [step, plainText(text)])),
  ].join('\n');
}

type Step = readonly [step: string, text: string];

function listSteps(explanation: ToldExplanation): Step[] {
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
      ['request', `with ${counted(request.columns, 'column')} at ${counted(request.rows, 'instance')}`],
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
}: NonNullable<ToldExplanation['inventory']>): string {
  const found =
    instances === undefined
      ? 'the object was not looked for'
      : `${counted(instances, 'instance')} of the object`;
  const outdated = isOutdated ? ', whose definition has changed since' : '';
  const cut = partial === undefined ? '' : `, not to the end: ${partial}`;
  return `version ${version} of ${timeOf(discoveredMs)}, ${found}${outdated}${cut}`;
}

function describeRaw({ raw, gap, slotMs }: NonNullable<ToldExplanation['reading']>): string {
  if (raw !== undefined) return `${raw.type} ${shorten(raw.value, maxValueCharacters)} at ${timeOf(slotMs)}`;
  return slotMs === 0 ? 'nothing yet' : `missing at ${timeOf(slotMs)}: ${gap}`;
}

function describeDecoding({
  syntax,
  description,
  scale,
  scaledBy,
  enum: names,
}: ToldExplanation['definition']['decoding']): string {
  const factor = scale.times !== 1 ? `; × ${scale.times}` : scale.over !== 1 ? `; ÷ ${scale.over}` : '';
  const others = scaledBy.map(({ attribute }) => attribute).join(' and ');
  const byRow = others === '' ? '' : `; × 10 to the power that ${others} say`;
  return `${syntax}: ${description.replace(/\.$/, '')}${factor}${byRow}${names === undefined ? '' : `; named by ${names}`}`;
}

function describeField({ record, field, value, unit = '', gap, isLabel }: MayLack<ValueField>): string {
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
