import type { AnswerBody } from '../../src/client/index.ts';
import { colours } from '../terminal/colours.ts';
import { counted, plainText, shorten } from '../terminal/plain-text.ts';
import { formatPairs } from '../terminal/table.ts';
import { formatTime } from '../terminal/time-text.ts';

const maxValueCharacters = 120;

type Explanation = AnswerBody<'explainValue'>;
type Reading = NonNullable<Explanation['reading']>;

/** How a value comes to be, one line per step, from its definition to the field that holds it. */
export function formatExplanation(explanation: Explanation): string {
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

function listSteps(explanation: Explanation): Step[] {
  const { definition, broughtInBy, state, since, why, inventory, reading, lastFailure } = explanation;
  const { file, line, column, decoding } = definition;
  const steps: Step[] = [
    ['defined', `${file}:${line}, column ${column}`],
    ...listed(
      'included by',
      broughtInBy.map(
        ({ deviceGroup, objectGroup }) =>
          `device group ${deviceGroup}${objectGroup === undefined ? '' : ` → ${objectGroup}`}`,
      ),
    ),
    ['device', `${state} since ${formatTime(since)}: ${why}`],
    ['inventory', inventory === undefined ? 'none' : describeInventory(inventory)],
  ];
  if (reading !== undefined) {
    const { oid, plan, everyMs, request } = reading;
    steps.push(
      ['read', `${oid}, every ${everyMs / 1000} s (${plan})`],
      ['request', `with ${counted(request.columns, 'column')} of ${counted(request.rows, 'instance')}`],
      ['raw', describeRaw(reading)],
    );
  }
  steps.push(['decoded', describeDecoding(decoding)]);
  steps.push(
    ...listed('written', reading === undefined ? definition.fields : reading.fields.map(describeField)),
  );
  if (lastFailure !== undefined) {
    steps.push(['last failure', `${lastFailure.code} at ${formatTime(lastFailure.at)}`]);
  }
  return steps;
}

/** Only the first line has the name of the step. */
function listed(step: string, texts: readonly string[]): Step[] {
  return (texts.length === 0 ? ['nothing'] : texts).map((text, i) => [i === 0 ? step : '', text]);
}

function describeInventory({
  version,
  discoveredAt,
  instances,
  isOutdated,
  partial,
}: NonNullable<Explanation['inventory']>): string {
  const found =
    instances === undefined
      ? 'the object was not part of the discovery'
      : `${counted(instances, 'instance')} of the object`;
  const outdated = isOutdated ? ', but its definition has changed since' : '';
  const cut = partial === undefined ? '' : `, incomplete: ${partial}`;
  return `version ${version} of ${formatTime(discoveredAt)}, ${found}${outdated}${cut}`;
}

function describeRaw({ raw, gap, slotAt }: Reading): string {
  if (slotAt === undefined) return 'not polled yet';
  const time = formatTime(slotAt);
  return raw === undefined
    ? `missing at ${time}: ${gap}`
    : `${raw.type} ${shorten(raw.value, maxValueCharacters)} at ${time}`;
}

function describeDecoding({
  syntax,
  description,
  scale,
  scaledBy,
  enum: names,
}: Explanation['definition']['decoding']): string {
  const factor = scale.times !== 1 ? `× ${scale.times}` : scale.over !== 1 ? `÷ ${scale.over}` : '';
  // The descriptions of most scaled syntaxes begin with their factor.
  const scaling = factor === '' || description.startsWith(`${factor} `) ? '' : `; ${factor}`;
  const others = scaledBy.map(({ attribute }) => attribute).join(' and ');
  const byRow = others === '' ? '' : `; × 10 to the power of ${others}`;
  return `${syntax}: ${description.replace(/\.$/, '')}${scaling}${byRow}${names === undefined ? '' : `; named by ${names}`}`;
}

function describeField({ record, field, value, unit = '', gap, isLabel }: Reading['fields'][number]): string {
  const place = `${field}${isLabel ? ' (label)' : ''} of ${record}`;
  if (value === undefined) return `${place}: ${gap === undefined ? 'nothing' : `missing, ${gap}`}`;
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return `${place}: ${shorten(text, maxValueCharacters)} ${unit}`.trimEnd();
}
