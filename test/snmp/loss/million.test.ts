import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createManager, SnmpError } from '../../../src/snmp/index.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';

const isLong = process.env['WAYWISER_LONG'] !== undefined;
const retries = 1;
/** Far more than any delay of the agent's; a lost request costs two of them. */
const timeoutMs = 400;

async function startNumberedAgent(loss: number) {
  const path = modulePath(new URL('./numbered-agent.ts', import.meta.url));
  // Without the counters of coverage, so that it keeps up: what it cannot take is lost beside its own dice.
  const env = { ...process.env, NODE_V8_COVERAGE: '' };
  const child = fork(path, [String(loss)], { execArgv: [...nodeOptions], env });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

describe('on a road of loss, duplicates, delays, stale and foreign replies', () => {
  for (const [loss, requests, sessions] of [
    [0.05, isLong ? 600_000 : 12_000, 320],
    [0.3, isLong ? 400_000 : 8_000, 1_000],
  ] as const) {
    it(`no value is wrong and lost requests are as theory says: ${requests} requests, ${loss * 100} % loss each way`, async () => {
      await using agent = await startNumberedAgent(loss);
      const manager = createManager({ retryShare: 1, retryFloor: requests });
      let [asked, lost, wrong] = [0, 0, 0];
      try {
        await Promise.all(
          Array.from({ length: sessions }, async () => {
            while (asked < requests) {
              // A session for some requests only: one that has lost many asks for less at once.
              const session = manager.open({
                address: '127.0.0.1',
                port: agent.port,
                version: '2c',
                community: 'public',
                timeoutMs,
                retries,
              });
              for (let i = 0; i < 50 && asked < requests; i++) {
                const number = asked++;
                try {
                  const [varbind] = await session.get([`1.3.6.1.4.1.${number}`]);
                  if (varbind?.value !== number) wrong++;
                } catch (error) {
                  if (!(error instanceof SnmpError) || error.code !== 'SNMP_TIMEOUT') throw error;
                  lost++;
                }
              }
              session.close();
            }
          }),
        );
        assert.equal(wrong, 0);
        const { ignored, internalFaults } = manager.counters();
        assert.equal(internalFaults, 0);
        assert.ok(
          ignored.unknownRequest > requests / 20,
          'stale replies and duplicates came and were ignored',
        );
        assert.ok(ignored.wrongSource > requests / 20, 'foreign replies came and were ignored');
        const expected = requests * (1 - (1 - loss) ** 2) ** (retries + 1);
        // 15 %, and three standard deviations where requests are few.
        const slack = 0.15 * expected + (isLong ? 0 : 3 * Math.sqrt(expected));
        assert.ok(Math.abs(lost - expected) <= slack, `${lost} lost, theory says ${expected.toFixed(0)}`);
      } finally {
        manager.close();
      }
    });
  }
});
