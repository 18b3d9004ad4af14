import type { TestContext } from 'node:test';
import { startReplayAgent } from '../../../../src/testing/index.ts';
import { DefinitionFolder, smallDefinitions } from '../../support/definition-folder.ts';
import { type ApiStackOptions, startApi } from './api-stack.ts';

const recording = 'test/recordings/switch.snmprec';

/** Devices `a` and `b` have interfaces, `c` has none. All three are discovered, and the API is listening. */
export async function startThreeSwitches(test: TestContext, options: ApiStackOptions = {}) {
  const agents = await Promise.all([1, 2, 3].map(() => startReplayAgent({ recording })));
  test.after(() => Promise.all(agents.map((agent) => agent.close())));
  const folder = new DefinitionFolder(test);
  const groups = ['[switch]', '[switch]', '[plain]'];
  folder.writeDevices(
    agents.map(({ port }, i) => ({ name: 'abc'[i]!, port, groups: `device_groups: ${groups[i]}` })),
  );
  const stack = await startApi(test, folder, options);
  await stack.settle();
  stack.heard.length = 0;
  return { ...stack, agents, folder };
}

/** The interface objects with one renamed attribute, which affects `a` and `b`. */
export const changedInterfaces = smallDefinitions['objects/interfaces.yml']!.replaceAll(
  'netif.bytes.in',
  'netif.octets.in',
);
