import { env } from 'node:process';
import type { CompiledDefinitions } from '../../../src/definitions/index.ts';
import {
  defaultPollBudget,
  type ObjectWish,
  type PollBudget,
  wishOf,
} from '../../../src/definitions/index.ts';
import { suggestName } from '../../../src/nearest-name.ts';
import { findConfig, readChosen, type SetOptions } from '../../choose-set.ts';
import { usageFailure } from '../../cli-errors.ts';
import type { RequestOptions } from '../../snmp/options/request-options.ts';
import { withUsageErrors } from '../../snmp/usage.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { parseWholeNumber } from '../../terminal/whole-number.ts';
import { readAnsweredOids } from './answered-oids.ts';
import { type CoverageReport, formatCoverage, type UncollectedLine } from './coverage-text.ts';
import { listSources } from './list-sources.ts';
import { CoverageTally, type KnownDefinitions, knownIn } from './measure-coverage.ts';
import { cutSubtrees } from './subtrees.ts';

interface CoverageOptions extends RequestOptions, SetOptions {
  readonly group?: string;
  readonly top: string;
}

/** What the device's own answers decide, unless the definitions have a group of this name. */
const autoGroup = 'auto';

/**
 * `waywiser coverage RECORDING|FOLDER|DEVICE…`: compares what devices have with what the definitions collect. Of several sources each
 * report is one line of JSON.
 */
export function coverage(given: readonly string[], options: CoverageOptions): Promise<number> {
  return withUsageErrors(async () => {
    const top = parseWholeNumber(options.top, { option: '--top', least: 0 });
    const { compiled } = await readChosen(options);
    const { group: deviceGroup = autoGroup } = options;
    const wish = findWish(compiled, deviceGroup);
    const facts = { known: knownIn(compiled), wish, budget: await findBudget(options), deviceGroup };
    const measure = (source: string) => measureSource(source, facts, options);
    const { sources, isSeries } = listSources(given);
    if (!isSeries) {
      const report = await measure(sources[0]!);
      console.log(
        options.json ? JSON.stringify(report, undefined, 2) : formatCoverage(report, compiled, top),
      );
      return exitCodes.done;
    }
    let exit: number = exitCodes.done;
    for (const source of sources) {
      try {
        console.log(JSON.stringify(await measure(source)));
      } catch (error) {
        console.log(
          JSON.stringify({ source, error: error instanceof Error ? error.message : String(error) }),
        );
        exit = exitCodes.failed;
      }
    }
    return exit;
  });
}

interface MeasureFacts {
  readonly known: KnownDefinitions;
  readonly wish: ObjectWish;
  readonly budget: PollBudget;
  readonly deviceGroup: string;
}

async function measureSource(
  source: string,
  { known, wish, budget, deviceGroup }: MeasureFacts,
  options: CoverageOptions,
): Promise<CoverageReport> {
  const { received, sysObjectId, unreadable } = await readAnsweredOids(
    source,
    options,
    () => new CoverageTally(known),
  );
  const result = received.finish(wish, budget);
  const { mibs } = options;
  const uncollected = mibs === undefined ? result.uncollected : await nameLines(received, mibs);
  const { values } = received;
  return { source, sysObjectId, deviceGroup, values, unreadable, ...result, uncollected };
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

/** What polling a device may cost: the limits of snmp-discovery in the configuration. */
async function findBudget(options: SetOptions): Promise<PollBudget> {
  const config = findConfig(options);
  if (config === undefined) return defaultPollBudget;
  const { loadSetup } = await import('../../../src/collector/index.ts');
  const name = 'snmp-discovery';
  const { plugins } = await loadSetup(config, { env, also: [name], only: [name] });
  const given = plugins.find((plugin) => plugin.name === name)?.options as Partial<Record<string, number>>;
  return {
    maxValuesPerMinute: given?.max_values_per_minute ?? defaultPollBudget.maxValuesPerMinute,
    maxPacketsPerMinute: given?.max_packets_per_minute ?? defaultPollBudget.maxPacketsPerMinute,
  };
}

function findWish({ deviceGroups }: Pick<CompiledDefinitions, 'deviceGroups'>, group: string): ObjectWish {
  const found = deviceGroups.get(group);
  if (found !== undefined) return wishOf([found]);
  if (group === autoGroup) return { isAuto: true, named: new Set(), without: new Set() };
  const suggestion = suggestName(group, deviceGroups.keys());
  throw usageFailure('DEVICE_GROUP_UNKNOWN', { group, suggestion });
}
