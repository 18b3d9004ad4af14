import type { CompiledDefinitions } from '../../../definitions/compiler/compiled-definitions.ts';
import { findDeviceGroup } from '../../../definitions/generation/device-group-finder.ts';
import { suggestName } from '../../../nearest-name.ts';
import { usageFailure } from '../../cli-errors.ts';
import type { RequestOptions } from '../../snmp/options/request-options.ts';
import { withUsageErrors } from '../../snmp/usage.ts';
import { colours } from '../../terminal/colours.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { counted } from '../../terminal/plain-text.ts';
import { formatTable } from '../../terminal/table.ts';
import { parseWholeNumber } from '../../terminal/whole-number.ts';
import { readChosen, type SetOptions } from '../choose-set.ts';
import { readAnsweredOids } from './answered-oids.ts';
import {
  type Coverage,
  CoverageTally,
  type ObjectValues,
  objectsOf,
  type UncollectedValues,
} from './measure-coverage.ts';
import { cutSubtrees } from './subtrees.ts';

interface CoverageOptions extends RequestOptions, SetOptions {
  readonly group?: string;
  readonly top: string;
}

/** `waywiser coverage RECORDING|DEVICE`: compares what a device has with what the definitions collect. */
export function coverage(source: string, options: CoverageOptions): Promise<number> {
  return withUsageErrors(async () => {
    const top = parseWholeNumber(options.top, { option: '--top', least: 0 });
    const { compiled } = await readChosen(options);
    if (options.group !== undefined && !compiled.deviceGroups.has(options.group)) {
      const suggestion = suggestName(options.group, compiled.deviceGroups.keys());
      throw usageFailure('DEVICE_GROUP_UNKNOWN', { group: options.group, suggestion });
    }
    const read = await readAnsweredOids(source, options, () => new CoverageTally(compiled));
    const { received, sysObjectId } = read;
    const deviceGroup = options.group ?? findDeviceGroup(compiled, sysObjectId);
    const result = received.finish(objectsOf(compiled, deviceGroup));
    const { mibs } = options;
    const uncollected = mibs === undefined ? result.uncollected : await nameLines(received, mibs);
    const report = { source, sysObjectId, deviceGroup, values: received.values, ...result, uncollected };
    console.log(options.json ? JSON.stringify(report, undefined, 2) : formatCoverage(report, compiled, top));
    return exitCodes.done;
  });
}

/** The lines of what nothing collects, with names where MIB files have some. */
async function nameLines(
  tally: CoverageTally,
  paths: readonly string[],
): Promise<readonly UncollectedLine[]> {
  const { openMibs } = await import('../../mib/open-mibs.ts');
  const { nameUncollected } = await import('./name-uncollected.ts');
  const { named, unnamed, unnamedFurther } = nameUncollected(tally, openMibs(paths));
  const lines = named.map(({ nodes, ...line }) => ({ ...line, nodes: nodes.map((node) => node.name) }));
  return [...lines, ...unnamedFurther, ...cutSubtrees(unnamed)].sort((a, b) => b.values - a.values);
}

interface UncollectedLine extends UncollectedValues {
  /** Of the row or the group of scalars. */
  readonly name?: string;
  /** The names of the columns or scalars. */
  readonly nodes?: readonly string[];
}

interface CoverageReport extends Coverage {
  readonly uncollected: readonly UncollectedLine[];
  readonly source: string;
  readonly sysObjectId: string | undefined;
  readonly deviceGroup: string | undefined;
  readonly values: number;
}

/** The report as text, with at most `top` lines per list; 0 means all. */
function formatCoverage(
  report: CoverageReport,
  { objectGroups }: Pick<CompiledDefinitions, 'objectGroups'>,
  top: number,
): string {
  const { collected, elsewhere, uncollected, unanswered, missing, deviceGroup } = report;
  const asked = deviceGroup === undefined ? 'all objects' : `the device group ${colours.bold(deviceGroup)}`;
  const groupsOf = (object: string) =>
    [...objectGroups.values()].filter(({ objects }) => objects.includes(object)).map(({ id }) => id);
  return [
    `${counted(report.values, 'value')}, compared with ${asked} (sysObjectID ${report.sysObjectId ?? 'missing'})`,
    title('Collected', sum(collected), counted(collected.length, 'object')),
    ...section(
      'Defined, but not in the device group',
      elsewhere,
      top,
      ['values', 'object', 'object groups'],
      (line) => [String(line.values), line.object, groupsOf(line.object).join(', ')],
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
