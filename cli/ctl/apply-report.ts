import type { AnswerBody } from '../../src/client/index.ts';
import type { DeviceRef } from '../../src/index.ts';
import { formatProblems, kindNames } from '../definition-text.ts';
import { colours } from '../terminal/colours.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';

type Apply = AnswerBody<'applyDefinitions'>;

const maxNames = 20;
const unlisted = 'Only descriptions, or defaults of devices, are different.';

/** What an apply did, or would do: the differences, the affected devices and, in a dry run, the cost. */
export function formatApply(apply: Apply, isDryRun: boolean): string {
  const { affectedDevices, rediscovering, warnings, cost, durationMs } = apply;
  const changes = formatChanges(apply.changes);
  const parts = [
    headline(apply, isDryRun),
    ...(apply.changed && changes.length === 0 ? [unlisted] : changes),
    ...listDevices(isDryRun ? 'Would affect' : 'Affected', affectedDevices),
    ...listDevices(isDryRun ? 'Would be rediscovered' : 'Rediscovering', rediscovering),
    ...(cost === undefined ? [] : [formatCost(cost)]),
    ...formatProblems(warnings),
    ...listMembers(apply),
    colours.dim(`${durationMs} ms`),
  ];
  return parts.join('\n');
}

function listMembers({ members = [] }: Apply): string[] {
  return members.map(({ name, generation }) =>
    generation === undefined
      ? colours.yellow(`The member ${plainText(name)} has not switched yet.`)
      : `The member ${plainText(name)} uses its generation ${generation}.`,
  );
}

function headline({ changed, generation, previousGeneration }: Apply, isDryRun: boolean): string {
  if (!changed) return `No differences. Generation ${generation} stays in use.`;
  if (isDryRun) return `Dry run: generation ${generation} stays in use. An apply would change:`;
  return `Generation ${colours.bold(String(generation))} replaces generation ${previousGeneration}.`;
}

function formatChanges(changes: Apply['changes']): string[] {
  return (Object.keys(changes) as (keyof Apply['changes'])[]).flatMap((kind) => {
    const { added, changed, removed } = changes[kind];
    const [one, many] = kindNames[kind];
    const lines = [
      ...removed.map((id) => colours.red(`- ${one} ${plainText(id)}`)),
      ...added.map((id) => colours.green(`+ ${one} ${plainText(id)}`)),
      ...changed.map((id) => colours.yellow(`~ ${one} ${plainText(id)}`)),
    ];
    const rest = lines.length - maxNames;
    return rest <= 1
      ? lines
      : [...lines.slice(0, maxNames), colours.dim(`and ${rest} more ${many}; --json lists them`)];
  });
}

function listDevices(what: string, devices: readonly DeviceRef[]): string[] {
  if (devices.length === 0) return [];
  const names = devices.slice(0, maxNames).map(({ name }) => plainText(name));
  const more = devices.length > maxNames ? ` and ${devices.length - maxNames} more` : '';
  return [`${what}: ${counted(devices.length, 'device')}: ${names.join(', ')}${more}`];
}

function formatCost({ before, after }: NonNullable<Apply['cost']>): string {
  const rows = (Object.keys(costWords) as (keyof typeof costWords)[]).map((key) => [
    costWords[key],
    round(before[key]),
    round(after[key]),
    formatShift(before[key], after[key]),
  ]);
  return formatTable(['cost', 'before', 'after', ''], rows);
}

const costWords = {
  devices: 'devices',
  objects: 'objects',
  series: 'series',
  valuesPerSecond: 'values per second',
  packetsPerSecond: 'packets per second',
} as const;

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function formatShift(before: number, after: number): string {
  if (round(before) === round(after)) return '';
  const share =
    before === 0 ? '' : ` (${after > before ? '+' : ''}${Math.round((100 * (after - before)) / before)} %)`;
  return `${after > before ? '+' : ''}${round(after - before)}${share}`;
}
