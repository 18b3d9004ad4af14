import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { parseRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { isLong } from '../../support/long-run.ts';
import { missingShared, missingTool, sharedPath } from '../../support/needs.ts';
import { runTool } from '../../support/run-tool.ts';
import { type Snmpsim, startSnmpsim } from '../../support/snmpsim.ts';
import { assertSameLines } from './same-lines.ts';

const skip = missingShared('recordings') || missingTool('snmpsimd') || missingTool('snmpbulkwalk');

/** snmpsim takes a minute for all of them: `npm run long` does. */
const quick = ['aruba', 'eaton', 'geist', 'isilon', 'paloalto', 'tripplite', 'ubiquiti', 'windows'];

const madeUp = Buffer.from(
  [
    '# what snmpsim does with it is what we do',
    '1.3.6.1.2.1.1.1.0|4|blanks at the end go  ',
    '1.3.6.1.2.1.1.4.0|4|0x48656c',
    '1.3.6.1.2.1.1.5.0|4|é',
    '1.3.6.1.2.1.1.6.0|4|a|b|c',
    '1.3.6.1.2.1.1.8.1|4x|',
    '1.3.6.1.2.1.1.8.2|4|',
    '1.3.6.1.2.1.1.8.3|4e|a\\x00b\\n',
    '1.3.6.1.2.1.1.8.4|64|1.2.3.4',
    '1.3.6.1.2.1.1.8.5|64x|01020304',
    '1.3.6.1.2.1.1.8.6|70|18446744073709551615',
    '1.3.6.1.2.1.1.8.7|5|',
    '1.3.6.1.2.1.1.8.8|6|.1.3.6.1',
    '1.3.6.1.2.1.1.8.9|66|4294967295',
    '1.3.6.1.2.1.1.8.10|65|0',
    '1.3.6.1.2.1.1.8.11|68x|9f780441200000',
    '1.3.6.1.2.1.1.8.12|2|1',
    '1.3.6.1.2.1.1.8.12|2|2',
    '1.3.6.1.2.1.1.8.12|2|3',
    '1.3.6.1.2.1.1.8.13|4x|abc',
    '1.3.6.1.2.1.1.8.14|2| 5',
    '1.3.6.1.2.1.1.8.15|67|4294967295',
    '1.3.6.1.2.1.1.8.16|2|-2147483648',
    '1.3.6.1.2.1.1.8.4294967295|2|1',
    '',
  ].join('\n'),
);

describe('replay agent beside snmpsim', { skip }, () => {
  const recordings = new Map<string, Buffer>([['made-up', madeUp]]);
  if (!skip) {
    for (const file of readdirSync(sharedPath('recordings')).filter((name) => name.endsWith('.snmprec.gz'))) {
      if (!isLong && !quick.some((prefix) => file.startsWith(prefix))) continue;
      const text = gunzipSync(readFileSync(join(sharedPath('recordings'), file)));
      recordings.set(file.replace('.snmprec.gz', ''), text);
    }
  }
  let snmpsim: Snmpsim;
  before(async () => {
    snmpsim = await startSnmpsim(recordings);
  });
  after(() => snmpsim[Symbol.asyncDispose]());

  for (const [name, text] of recordings) {
    it(`${name}: snmpbulkwalk prints the same`, async () => {
      await using agent = await startReplayAgent({
        recording: parseRecording(text.toString('utf8'), `${name}.snmprec`),
      });
      const moving = movingOids(text);
      const theirs = await walk(snmpsim.port, name, moving);
      const ours = await walk(agent.port, 'public', moving);
      // The one file that is not sorted: snmpsim answers in its order, which no manager should be asked to follow.
      if (name === 'h3c-e528-2') assertSameLines(sortedLines(ours), sortedLines(theirs));
      else assertSameLines(ours, theirs);
    });
  }

  it('GET finds the last of duplicates, as snmpsim does', async () => {
    await using agent = await startReplayAgent({ recording: parseRecording(madeUp.toString('utf8')) });
    const get = (port: number, community: string) =>
      runTool('snmpget', ['-v2c', '-c', community, '-On', `127.0.0.1:${port}`, '1.3.6.1.2.1.1.8.12']);
    assertSameLines(await get(agent.port, 'public'), await get(snmpsim.port, 'made-up'));
  });
});

/** Values of the variation module `numeric` move in snmpsim and stay with us. */
function movingOids(text: Buffer): ReadonlySet<string> {
  const lines = text.toString('latin1').matchAll(/^([\d.]+)\|\d+:numeric\|/gm);
  return new Set(Array.from(lines, ([, oid]) => `.${oid}`));
}

async function walk(port: number, community: string, without: ReadonlySet<string>): Promise<string> {
  const printed = await runTool('snmpbulkwalk', [
    ...['-v2c', '-c', community, '-On', '-Cr50', '-t', '20', '-r', '1'],
    ...[`127.0.0.1:${port}`, '.1'],
  ]);
  return printed
    .split('\n')
    .filter((line) => !line.includes(' = No more variables left in this MIB View '))
    .filter((line) => !without.has(line.slice(0, line.indexOf(' '))))
    .join('\n');
}

function sortedLines(text: string): string {
  return text.split('\n').sort().join('\n');
}
