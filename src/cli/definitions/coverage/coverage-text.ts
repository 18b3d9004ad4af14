import colours from 'picocolors';
import type { CompiledDefinitions } from '../../../definitions/compiler/compiled-definitions.ts';
import { counted } from '../../terminal/counted.ts';
import { formatTable } from '../../terminal/table.ts';
import type { Coverage, ObjectValues } from './measure-coverage.ts';

interface CoverageReport extends Coverage {
  readonly source: string;
  readonly sysObjectId: string | undefined;
  readonly deviceGroup: string | undefined;
  readonly values: number;
}

/** For people; at most `top` lines of each list, 0 for all. */
export function formatCoverage(
  report: CoverageReport,
  { objectGroups }: Pick<CompiledDefinitions, 'objectGroups'>,
  top: number,
): string {
  const { collected, elsewhere, uncollected, unanswered, missing, deviceGroup } = report;
  const asked = deviceGroup === undefined ? 'all objects' : `the device group ${colours.bold(deviceGroup)}`;
  const groupsOf = (object: string) =>
    [...objectGroups.values()].filter(({ objects }) => objects.includes(object)).map(({ id }) => id);
  return [
    `${counted(report.values, 'value')}, asked for by ${asked} (sysObjectID ${report.sysObjectId ?? 'not answered'})`,
    title('Collected', sum(collected), counted(collected.length, 'object')),
    ...section(
      'Defined, but in no group of the device',
      elsewhere,
      top,
      ['values', 'object', 'object groups'],
      (line) => [String(line.values), line.object, groupsOf(line.object).join(', ')],
    ),
    ...section(
      'Answered, and nothing collects it',
      uncollected,
      top,
      ['values', 'columns', 'below', ''],
      (line) => [
        String(line.values),
        String(line.columns),
        line.oid,
        line.object === undefined ? '' : colours.dim(`more columns of ${line.object}`),
      ],
    ),
    `\n${colours.bold('Asked for and never answered')}: ${counted(unanswered.length, 'object')}`,
    ...shorten(unanswered, top).map((object) => `  ${object}`),
    `\n${colours.bold('Attributes without a value, of objects that have some')}: ${counted(missing.length, 'object')}`,
    ...shorten(missing, top).map(({ object, attributes }) => `  ${object}: ${attributes.join(', ')}`),
  ].join('\n');
}

function section<Line extends { readonly values: number }>(
  name: string,
  lines: readonly Line[],
  top: number,
  header: readonly string[],
  cells: (line: Line) => readonly string[],
): string[] {
  const shown = shorten(lines, top);
  const rest = lines.length - shown.length;
  return [
    title(name, sum(lines), counted(lines.length, 'line')),
    ...(shown.length === 0 ? [] : [formatTable(header, shown.map(cells))]),
    ...(rest === 0 ? [] : [colours.dim(`and ${rest} more; --top 0 shows all`)]),
  ];
}

function title(name: string, values: number, of: string): string {
  return `\n${colours.bold(name)}: ${counted(values, 'value')}, ${of}`;
}

function shorten<Line>(lines: readonly Line[], top: number): readonly Line[] {
  return top > 0 ? lines.slice(0, top) : lines;
}

function sum(lines: readonly Pick<ObjectValues, 'values'>[]): number {
  return lines.reduce((total, { values }) => total + values, 0);
}
