import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createManager, SnmpError } from '../../../src/snmp/index.ts';
import { isLong } from '../../support/long-run.ts';
import { modulePath, nodeOptions } from '../../support/own-module.ts';
import { UnpausedClock } from '../../support/unpaused-clock.ts';
import type { AgentReport } from './numbered-agent.ts';

const retries = 1;
/** Much longer than the agent's delays; a lost request takes two of them. */
const timeoutMs = 1_000;

async function startNumberedAgent(loss: number) {
  const path = modulePath(new URL('./numbered-agent.ts', import.meta.url));
  // Without coverage, so that it keeps up: datagrams that it cannot take are lost in addition to the random ones.
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

describe('a link with loss, duplicates, delays, stale and foreign replies', () => {
  for (const [loss, requests, sessions] of [
    [0.05, isLong ? 600_000 : 12_000, 1_200],
    [0.3, isLong ? 400_000 : 8_000, 3_000],
  ] as const) {
    it(`returns no wrong value and loses as many of ${requests} requests as expected at ${loss * 100} % loss each way`, async (t) => {
      await using agent = await startNumberedAgent(loss);
      const clock = new UnpausedClock();
      // No more than socket buffers hold while the machine pauses one of the processes.
      const manager = createManager({
        clock,
        maxInFlight: isLong ? 4_096 : 600,
        retryShare: 1,
        retryFloor: requests,
      });
      let [asked, lost, wrong, mismatched] = [0, 0, 0, 0];
      try {
        await Promise.all(
          Array.from({ length: sessions }, async () => {
            while (asked < requests) {
              // A new session after some requests: one with many losses allows fewer outstanding requests.
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
                  if (!(error instanceof SnmpError)) throw error;
                  // A lost request whose id, by chance, is that of a stale reply: the session says so instead of `timeout`.
                  if (error.code === 'SNMP_WRONG_ANSWER') mismatched++;
                  else if (error.code !== 'SNMP_TIMEOUT') throw error;
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
        assert.ok(ignored.unknownRequest > requests / 20, 'stale replies and duplicates were ignored');
        assert.ok(ignored.wrongSource > requests / 20, 'foreign replies were ignored');
        // About 100,000 stale replies meet 4,000 outstanding ones of 206 million ids: two by chance, 20 never.
        assert.ok(ignored.varbinds < 20, `${ignored.varbinds} stale replies had the id of another request`);
        assert.ok(
          mismatched <= ignored.varbinds,
          `${mismatched} wrong answers, ${ignored.varbinds} mismatched replies`,
        );
        const expected = requests * (1 - (1 - loss) ** 2) ** (retries + 1);
        // 15 %, plus three standard deviations for a small number of requests.
        const slack = 0.15 * expected + (isLong ? 0 : 3 * Math.sqrt(expected));
        const { unanswered, rarelyAsked } = await agent.report();
        t.diagnostic(`${ignored.varbinds} stale replies had the id of another request`);
        const summary = `${lost} lost, ${unanswered} never answered, ${rarelyAsked} of them asked too rarely; expected ${expected.toFixed(0)}`;
        t.diagnostic(summary);
        assert.ok(Math.abs(unanswered - rarelyAsked - expected) <= slack, summary);
        // Datagrams that the system itself loses: either too few requests reached the agent, or its replies were lost.
        assert.ok(lost >= unanswered && lost - unanswered + rarelyAsked <= slack, summary);
      } finally {
        manager.close();
        clock.close();
      }
    });
  }
});
