import type { TestContext } from 'node:test';
import { type ReplayKnobs, startReplayAgent } from '../../../../src/testing/index.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startPolling } from './poller-stack.ts';

interface TimedSwitchSettings {
  /** What its definition says beside address and credential. */
  readonly device?: string;
  /** Of the definitions, beside or in the place of the small ones. */
  readonly files?: Readonly<Record<string, string>>;
  readonly knobs?: Partial<ReplayKnobs>;
  readonly poller?: object;
}

/** A switch that is discovered, and whose clock goes on when the test says so. */
export async function startTimedSwitch(
  t: TestContext,
  { device = 'device_groups: [switch]', files, knobs, poller = {} }: TimedSwitchSettings = {},
) {
  const time = { nowMs: 1_700_000_000_000 };
  const agent = await startReplayAgent({
    recording: 'test/recordings/switch.snmprec',
    clock: () => time.nowMs,
  });
  t.after(() => agent.close());
  agent.set({ hasMovingUptime: true, ...knobs });
  const folder = new DefinitionFolder(t, files);
  folder.writeDevices([{ name: 'sw', port: agent.port, groups: device }]);
  const stack = await startPolling(t, folder, { poller });
  await stack.discovered();
  return {
    ...stack,
    agent,
    folder,
    time,
    /** Polls after so many seconds by the device's clock. */
    pollAfter(seconds: number, changed: Partial<ReplayKnobs>) {
      time.nowMs += 1000 * seconds;
      agent.set(changed);
      return stack.poll('sw');
    },
  };
}
