import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { stderr } from 'node:process';
import type { Target } from '../../../src/snmp/index.ts';
import { onSignals } from '../../run/signals.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { openTargets } from '../open-targets.ts';
import { parseRepetitions, type RequestOptions } from '../options/request-options.ts';
import { warnOfPartial } from '../output/partial-warning.ts';
import { withSession } from '../session.ts';
import { TreeWalk } from '../tree-walk.ts';
import { withUsageErrors } from '../usage.ts';
import { ProgressLine } from './progress-line.ts';
import { RecordedLines } from './recorded-lines.ts';
import { RecordingFile } from './recording-file.ts';
import { Redaction } from './redaction.ts';

interface RecordOptions extends RequestOptions {
  readonly redact?: boolean;
}

/** `waywiser record TARGET FILE [OID]`: walks a device and writes a recording for the replay agent. */
export function record(target: string, path: string, root: string, options: RecordOptions): Promise<number> {
  return withUsageErrors(async () => {
    const { maxRepetitions } = parseRepetitions(options.C);
    const targets = await openTargets(target, options);
    const redaction = options.redact ? new Redaction(secretsOf(targets)) : undefined;
    const write = stderr.isTTY ? (text: string) => void stderr.write(text) : undefined;
    const progress = new ProgressLine(write, () => performance.now());
    const file = new RecordingFile(path);
    const release = onSignals((signal) => {
      progress.clear();
      rmSync(file.partPath, { force: true });
      process.exit(128 + constants.signals[signal as NodeJS.Signals]);
    }, process.exit);
    try {
      return await withSession(targets, options, async (session) => {
        const tree = new TreeWalk(session, [root], maxRepetitions);
        const lines = new RecordedLines(tree, { target: session.name, root }, redaction, progress);
        await file.write(lines);
        console.log(`Recorded ${lines.count} varbinds of ${session.name} in ${path}.`);
        warnOfPartial(tree.partial);
        return tree.partial.length === 0 ? exitCodes.done : exitCodes.failed;
      });
    } finally {
      release();
    }
  });
}

function secretsOf(targets: readonly Target[]): string[] {
  return targets.flatMap((target) => {
    if (target.version !== '3') return target.community;
    const { authPassphrase = '', privPassphrase = '' } = target.user;
    return [authPassphrase, privPassphrase];
  });
}
