import type { TestContext } from 'node:test';
import { type ReplayKnobs, startReplayAgent } from '../../../../src/testing/index.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';
import { startPolling } from './poller-stack.ts';

interface TimedSwitchSettings {
  /** Settings in addition to the address and the credential. */
  readonly device?: string;
  /** Definition files that are added to, or replace, the small definitions. */
  readonly files?: Readonly<Record<string, string>>;
  readonly knobs?: Partial<ReplayKnobs>;
  readonly poller?: object;
}

/** A discovered switch whose clock the test controls. */
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
    /** Polls after this number of seconds by the device's clock. */
    pollAfter(seconds: number, changed: Partial<ReplayKnobs>) {
      time.nowMs += 1000 * seconds;
      agent.set(changed);
      return stack.poll('sw');
    },
  };
}
