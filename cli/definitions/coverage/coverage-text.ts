import type { CompiledDefinitions } from '../../../src/definitions/index.ts';
import { colours } from '../../terminal/colours.ts';
import { counted } from '../../terminal/plain-text.ts';
import { formatTable } from '../../terminal/table.ts';
import type { UnreadableLines } from './answered-oids.ts';
import type { Coverage, ObjectValues, UncollectedValues } from './measure-coverage.ts';

export interface UncollectedLine extends UncollectedValues {
  /** Of the row or the group of scalars. */
  readonly name?: string;
  /** The names of the columns or scalars. */
  readonly nodes?: readonly string[];
}

export interface CoverageReport extends Coverage {
  readonly uncollected: readonly UncollectedLine[];
  readonly source: string;
  readonly sysObjectId: string | undefined;
  readonly deviceGroup: string;
  readonly values: number;
  /** Lines of a recording that are left out; undefined when all can be read. */
  readonly unreadable: UnreadableLines | undefined;
}

/** The report as text, with at most `top` lines per list; 0 means all. */
export function formatCoverage(
  report: CoverageReport,
  { objectGroups }: Pick<CompiledDefinitions, 'objectGroups'>,
  top: number,
): string {
  const { collected, elsewhere, uncollected, uncollectedRoots, unanswered, missing, deviceGroup } = report;
  const groupsOf = (object: string) =>
    [...objectGroups.values()].filter(({ objects }) => objects.includes(object)).map(({ id }) => id);
  return [
    `${counted(report.values, 'value')}, compared with the device group ${colours.bold(deviceGroup)} (sysObjectID ${report.sysObjectId ?? 'missing'})`,
    title('Collected', sum(collected), counted(collected.length, 'object')),
    ...section(
      'Defined, but not collected',
      elsewhere,
      top,
      ['values', 'object', 'why', 'object groups'],
      (line) => [
        String(line.values),
        line.object,
        line.why.replaceAll('_', ' '),
        groupsOf(line.object).join(', '),
      ],
    ),
    ...section(
      'Not collected by any definition',
      uncollected,
      top,
      ['values', 'columns', 'below', ''],
      (line) => [
        String(line.values),
        String(line.columns),
        line.oid,
        [line.name ?? '', line.object === undefined ? '' : colours.dim(`further columns of ${line.object}`)]
          .filter((text) => text !== '')
          .join('  '),
      ],
    ),
    `\n${colours.bold('Standard MIBs and vendors that nothing collects')}: ${counted(uncollectedRoots.length, 'root')}`,
    ...takeFirst(uncollectedRoots, top).map(
      ({ oid, values, why }) =>
        `  ${oid}: ${counted(values, 'value')}, ${why.join(', ').replaceAll('_', ' ')}`,
    ),
    `\n${colours.bold('In the device group, but not on the device')}: ${counted(unanswered.length, 'object')}`,
    ...takeFirst(unanswered, top).map((object) => `  ${object}`),
    `\n${colours.bold('Attributes without a value, in objects that have values')}: ${counted(missing.length, 'object')}`,
    ...takeFirst(missing, top).map(({ object, attributes }) => `  ${object}: ${attributes.join(', ')}`),
  ].join('\n');
}

function section<Line extends { readonly values: number }>(
  name: string,
  lines: readonly Line[],
  top: number,
  header: readonly string[],
  cells: (line: Line) => readonly string[],
): string[] {
  const shown = takeFirst(lines, top);
  const rest = lines.length - shown.length;
  return [
    title(name, sum(lines), counted(lines.length, 'line')),
    ...(shown.length === 0 ? [] : [formatTable(header, shown.map(cells))]),
    ...(rest === 0 ? [] : [colours.dim(`and ${rest} more; use --top 0 to see all`)]),
  ];
}

function title(name: string, values: number, of: string): string {
  return `\n${colours.bold(name)}: ${counted(values, 'value')}, ${of}`;
}

function takeFirst<Line>(lines: readonly Line[], top: number): readonly Line[] {
  return top > 0 ? lines.slice(0, top) : lines;
}

function sum(lines: readonly Pick<ObjectValues, 'values'>[]): number {
  return lines.reduce((total, { values }) => total + values, 0);
}
