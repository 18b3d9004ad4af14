import { join } from 'node:path';
import { packageRoot } from '../../../collector/own-package.ts';
import { findDeviceGroup } from '../../../definitions/generation/device-group-finder.ts';
import { suggestName } from '../../../nearest-name.ts';
import type { RequestOptions } from '../../snmp/options/request-options.ts';
import { answerUsage } from '../../snmp/usage.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { usageFailure } from '../../terminal/usage-errors.ts';
import { parseWholeNumber } from '../../terminal/whole-number.ts';
import { loadOffline } from '../load-offline.ts';
import { readAnsweredOids } from './answered-oids.ts';
import { formatCoverage } from './coverage-text.ts';
import { measureCoverage, objectsOf } from './measure-coverage.ts';

interface CoverageOptions extends RequestOptions {
  readonly directory?: string;
  readonly group?: string;
  readonly top: string;
}

/** `waywiser coverage RECORDING|DEVICE`: what it answers that nothing collects, and what is defined and never answered. */
export function coverage(source: string, options: CoverageOptions): Promise<number> {
  return answerUsage(async () => {
    const top = parseWholeNumber(options.top, { option: '--top', least: 0 });
    const { compiled } = await loadOffline(options.directory ?? join(packageRoot(), 'definitions'));
    if (options.group !== undefined && !compiled.deviceGroups.has(options.group)) {
      const suggestion = suggestName(options.group, compiled.deviceGroups.keys());
      throw usageFailure('DEVICE_GROUP_UNKNOWN', { group: options.group, suggestion });
    }
    const { oids, sysObjectId } = await readAnsweredOids(source, options);
    const deviceGroup =
      options.group ?? (sysObjectId === undefined ? undefined : findDeviceGroup(compiled, sysObjectId));
    const result = measureCoverage(oids, compiled, objectsOf(compiled, deviceGroup));
    const report = { source, sysObjectId, deviceGroup, values: oids.length, ...result };
    console.log(options.json ? JSON.stringify(report, undefined, 2) : formatCoverage(report, compiled, top));
    return exitCodes.done;
  });
}
