import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { missingShared, missingTool, sharedPath } from '../../support/needs.ts';
import { runTool } from '../../support/run-tool.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { assertSameLines } from './same-lines.ts';
import { walkOutputOf } from './walk-output.ts';

const skip = missingShared('recordings') || missingTool('snmpbulkwalk');
const files = skip ? [] : readdirSync(sharedPath('recordings')).filter((name) => name.includes('.snmprec'));

describe('replay agent before net-snmp', { skip }, () => {
  for (const file of files) {
    it(`${file}: snmpbulkwalk prints every varbind in order`, async () => {
      const path = join(sharedPath('recordings'), file);
      await using agent = await startReplayAgent({ recording: path });
      const printed = await walk('snmpbulkwalk', agent, ['-v2c', '-c', 'public', '-Cr60']);
      assertSameLines(printed, walkOutputOf(path));
    });
  }

  for (const file of [
    'windows-server-2003.snmprec.gz',
    'linux-unknown-002.snmprec.gz',
    'cisco-n5000.snmprec.gz',
  ]) {
    it(`${file}: snmpwalk over v1 prints all but the Counter64`, async () => {
      const path = join(sharedPath('recordings'), file);
      await using agent = await startReplayAgent({ recording: path });
      const printed = await walk('snmpwalk', agent, ['-v1', '-c', 'public']);
      const expected = walkOutputOf(path)
        .split('\n')
        .filter((line) => !line.includes(' = Counter64: '))
        .join('\n');
      assertSameLines(printed.replace(/End of MIB\n$/, ''), expected);
    });

    it(`${file}: snmpbulkwalk over v3 with authPriv prints every varbind in order`, async () => {
      const path = join(sharedPath('recordings'), file);
      await using agent = await startReplayAgent({ recording: path, users: [privateUser] });
      const printed = await walk('snmpbulkwalk', agent, ['-v3', ...privateArguments, '-Cr40']);
      assertSameLines(printed, walkOutputOf(path));
    });

    it(`${file}: what snmpbulkwalk prints is a recording that serves the same`, async (t) => {
      const folder = temporaryFolder(t);
      const path = join(sharedPath('recordings'), file);
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
