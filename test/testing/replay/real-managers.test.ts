import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { missingShared, missingTool } from '../../support/needs.ts';
import { runTool } from '../../support/run-tool.ts';
import { listSharedRecordings } from '../../support/shared-recordings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { assertSameLines } from './same-lines.ts';
import { walkOutputOf } from './walk-output.ts';

const skip = missingShared('recordings') || missingTool('snmpbulkwalk');
const recordings = skip ? [] : listSharedRecordings();
/** Servers and switches, for the walks in other versions. */
const few = recordings.filter((path) => /windows-server|linux-unknown|cisco-n5000/.test(path));

describe('replay agent before net-snmp', { skip }, () => {
  for (const path of recordings) {
    it(`${basename(path)}: snmpbulkwalk prints every varbind in order`, async () => {
      await using agent = await startReplayAgent({ recording: path });
      const printed = await walk('snmpbulkwalk', agent, ['-v2c', '-c', 'public', '-Cr60']);
      assertSameLines(printed, walkOutputOf(path));
    });
  }

  for (const path of few) {
    const file = basename(path);
    it(`${file}: snmpwalk over v1 prints all but the Counter64`, async () => {
      await using agent = await startReplayAgent({ recording: path });
      const printed = await walk('snmpwalk', agent, ['-v1', '-c', 'public']);
      const expected = walkOutputOf(path)
        .split('\n')
        .filter((line) => !line.includes(' = Counter64: '))
        .join('\n');
      assertSameLines(printed.replace(/End of MIB\n$/, ''), expected);
    });

    it(`${file}: snmpbulkwalk over v3 with authPriv prints every varbind in order`, async () => {
      await using agent = await startReplayAgent({ recording: path, users: [privateUser] });
      const printed = await walk('snmpbulkwalk', agent, ['-v3', ...privateArguments, '-Cr40']);
      assertSameLines(printed, walkOutputOf(path));
    });

    it(`${file}: what snmpbulkwalk prints is a recording that serves the same`, async (t) => {
      const folder = temporaryFolder(t);
      await using agent = await startReplayAgent({ recording: path });
      const printed = await walk('snmpbulkwalk', agent, ['-v2c', '-c', 'public', '-Cr60']);
      writeFileSync(join(folder, 'printed.walk'), printed, 'latin1');
      await using again = await startReplayAgent({ recording: join(folder, 'printed.walk') });
      const printedAgain = await walk('snmpbulkwalk', again, ['-v2c', '-c', 'public', '-Cr60']);
      assertSameLines(printedAgain, printed);
    });
  }
});

const privateUser = {
  name: 'private',
  authProtocol: 'sha256',
  authPassphrase: 'first passphrase',
  privProtocol: 'aes',
  privPassphrase: 'second passphrase',
} as const;
const privateArguments = [
  ...['-u', 'private', '-l', 'authPriv', '-a', 'SHA-256', '-A', 'first passphrase'],
  ...['-x', 'AES', '-X', 'second passphrase'],
];

/** Everything the tool prints but its remark at the end of the MIB. */
async function walk(tool: string, agent: ReplayAgent, args: readonly string[]): Promise<string> {
  const target = `${agent.address}:${agent.port}`;
  const printed = await runTool(tool, [...args, '-On', '-t', '5', target, '.1']);
  return printed.replace(/^.* = No more variables left in this MIB View .*\n/gm, '');
}
