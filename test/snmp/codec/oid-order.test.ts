import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { compareOids } from '../../../src/model/oid.ts';
import { compareOidBytes, encodeOid } from '../../../src/snmp/codec/oid-bytes.ts';
import type { Varbind } from '../../../src/snmp/index.ts';
import { missingTool } from '../../support/needs.ts';
import { anyOid } from '../support/arbitraries.ts';
import { answer, number, startScriptedAgent } from '../support/scripted-agent.ts';
import { serveTable } from '../support/table-agent.ts';

const root = '1.3.6.1.4.1';
const run = promisify(execFile);

/** OIDs below the root, in the order of `compareOids`; many share long prefixes. */
const sortedOids = fc
  .array(
    fc.tuple(
      anyOid,
      fc.option(anyOid, { nil: undefined }),
      fc.constantFrom(0, 1, 127, 128, 16_383, 16_384, 0xffffffff),
    ),
    { minLength: 2, maxLength: 60 },
  )
  .map((parts) => {
    const all = parts.flatMap(([a, b, arc]) => [a, `${a}.${arc}`, b === undefined ? `${arc}` : `${a}.${b}`]);
    return [...new Set(all)].map((tail) => `${root}.${tail}`).sort(compareOids);
  });

describe('the order of OIDs', () => {
  it('is the order of net-snmp: its snmpbulkwalk accepts every step', {
    skip: missingTool('snmpbulkwalk'),
  }, async () => {
    let all: Varbind[] = [];
    await using agent = await startScriptedAgent((request) => [serveTable(all, request, 40)]);
    const walkAll = async () => {
      const args = ['-v2c', '-cpublic', '-On', '-t5', '-r0', `127.0.0.1:${agent.port}`, root];
      const { stdout, stderr } = await run('snmpbulkwalk', args);
      const oids = stdout.split('\n').flatMap((line) => line.match(/^\.([\d.]+) = INTEGER/)?.[1] ?? []);
      return { oids, stderr };
    };
    await fc.assert(
      fc.asyncProperty(sortedOids, async (oids) => {
        all = oids.map((oid) => number(oid, 1));
        assert.deepEqual(await walkAll(), { oids, stderr: '' });
      }),
      { numRuns: 40 },
    );
  });

  it('is the same for their octets', () => {
    fc.assert(
      fc.property(sortedOids, (oids) => {
        const octets = oids.map((oid) => encodeOid(oid)!);
        for (let i = 1; i < octets.length; i++) {
          const [a, b] = [octets[i - 1]!, octets[i]!];
          assert.ok(compareOidBytes(a, 0, a.length, b, 0, b.length) < 0);
          assert.ok(compareOidBytes(b, 0, b.length, a, 0, a.length) > 0);
        }
      }),
    );
  });

  it('is checked by snmpbulkwalk: it rejects two OIDs in the wrong order', {
    skip: missingTool('snmpbulkwalk'),
  }, async () => {
    const [first, second] = [number(`${root}.128`, 1), number(`${root}.127`, 2)];
    await using agent = await startScriptedAgent((request) => [answer(request, [first, second])]);
    const target = `127.0.0.1:${agent.port}`;
    await assert.rejects(run('snmpbulkwalk', ['-v2c', '-cpublic', '-On', target, root]), {
      stderr: /OID not increasing/,
    });
  });
});
