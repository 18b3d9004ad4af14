import { type ApiClient, ApiProblem } from '../../src/client/index.ts';
import type { Problem } from '../../src/index.ts';
import { formatProblems } from '../definition-text.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { printFailure } from '../terminal/failure.ts';
import { plainText } from '../terminal/plain-text.ts';
import { StatusLine } from '../terminal/status-line.ts';
import { formatApply } from './apply-report.ts';
import { followDiscoveries, listEnded } from './follow-discoveries.ts';

export interface ApplyOptions {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `waywiser ctl apply`: makes the collector read its definition files again and prints what changed. */
export async function apply(
  client: ApiClient,
  { force = false, dryRun = false, wait = true, json }: ApplyOptions,
): Promise<number> {
  try {
    const query = { force_rediscovery: force, dry_run: dryRun };
    const isFollowed = force && wait && !dryRun;
    const earlier = isFollowed ? await listEnded(client) : new Set<string>();
    const { body } = await client.call('applyDefinitions', { query });
    console.log(json ? JSON.stringify(body, undefined, 2) : formatApply(body, dryRun));
    if (!isFollowed || body.rediscovering.length === 0) return exitCodes.done;
    const failed = await followDiscoveries(client, body.rediscovering, earlier, new StatusLine());
    for (const { device, outcome } of failed) {
      console.error(
        `${colours.red('rediscovery failed:')} ${plainText(device.name)}: ${plainText(outcome?.message ?? '')} [${outcome?.code}]`,
      );
    }
    return failed.length === 0 ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'HTTP_DEFINITIONS_INVALID') throw error;
    const problems = (error.members['problems'] ?? []) as readonly Problem[];
    if (json) console.log(JSON.stringify(error.members, undefined, 2));
    else {
      console.log(formatProblems(problems).join('\n'));
      printFailure(error);
    }
    return exitCodes.failed;
  }
}
