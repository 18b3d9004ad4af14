import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createManager, SnmpError } from '../../../src/snmp/index.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import type { AgentReport } from './numbered-agent.ts';

const isLong = process.env['WAYWISER_LONG'] !== undefined;
const retries = 1;
/** Far more than any delay of the agent's, and than this machine may stand still; a lost request costs two of them. */
const timeoutMs = 1_000;

async function startNumberedAgent(loss: number) {
  const path = modulePath(new URL('./numbered-agent.ts', import.meta.url));
  // Without the counters of coverage, so that it keeps up: what it cannot take is lost beside its own dice.
  const env = { ...process.env, NODE_V8_COVERAGE: '' };
  const child = fork(path, [`${loss}`, `${retries + 1}`], { execArgv: [...nodeOptions], env });
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    async report(): Promise<AgentReport> {
      child.send('report');
      return (await once(child, 'message'))[0];
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

describe('on a road of loss, duplicates, delays, stale and foreign replies', () => {
  for (const [loss, requests, sessions] of [
    [0.05, isLong ? 600_000 : 12_000, 1_200],
    [0.3, isLong ? 400_000 : 8_000, 3_000],
  ] as const) {
    it(`no value is wrong and lost requests are as theory says: ${requests} requests, ${loss * 100} % loss each way`, async (t) => {
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
        const { unanswered, rarelyAsked } = await agent.report();
        const story = `${lost} lost, ${unanswered} never answered, ${rarelyAsked} of them asked too rarely; theory says ${expected.toFixed(0)}`;
        t.diagnostic(story);
        assert.ok(Math.abs(unanswered - rarelyAsked - expected) <= slack, story);
        // What the system itself loses is neither answered nor asked often enough, or answered in vain.
        assert.ok(lost >= unanswered && lost - unanswered + rarelyAsked <= slack, story);
      } finally {
        manager.close();
      }
    });
  }
});
