import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { madeUpRecordings } from '../../recordings/generator/made-up-recordings.ts';
import { missingShared, missingTool, sharedPath } from '../../support/needs.ts';
import { runTool } from '../../support/run-tool.ts';
import { assertSameLines } from './same-lines.ts';
import { walkOutputOf } from './walk-output.ts';

describe('made-up recordings', () => {
  for (const [name, make] of madeUpRecordings) {
    const path = fileURLToPath(new URL(`../../recordings/${name}.snmprec`, import.meta.url));

    it(`${name} is what the generator makes`, () => {
      assertSameLines(readFileSync(path, 'latin1'), make());
    });

    it(`${name} is served as it is written`, { skip: missingTool('snmpbulkwalk') }, async () => {
      await using agent = await startReplayAgent({ recording: path });
      assertSameLines(await walk(agent.port, ['-On']), walkOutputOf(path));
    });

    it(`${name} has the types and only the objects of the MIBs`, {
      skip: missingTool('snmpbulkwalk') || missingShared('mibs'),
    }, async () => {
      await using agent = await startReplayAgent({ recording: path });
      const printed = await walk(agent.port, ['-M', sharedPath('mibs'), '-m', 'ALL', '-Pe']);
      const lines = printed.split('\n');
      assert.deepEqual(
        lines.filter((line) => line.includes('Wrong Type (should be')),
        [],
      );
      const unknown = lines.filter((line) => /^(SNMPv2-SMI|iso)[:.]/.test(line));
      assert.deepEqual(
        unknown.filter((line) => !line.startsWith('SNMPv2-SMI::enterprises.32473.')),
        [],
      );
    });
  }
});

async function walk(port: number, args: readonly string[]): Promise<string> {
  const target = `127.0.0.1:${port}`;
  const printed = await runTool('snmpbulkwalk', ['-v2c', '-c', 'public', '-Cr40', ...args, target, '.1']);
  return printed.replace(/^.* = No more variables left in this MIB View .*\n/gm, '');
}
