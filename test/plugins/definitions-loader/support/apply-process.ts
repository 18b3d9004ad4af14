import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { DefinitionStore } from '../../../../plugins/definitions-loader/generation/definition-store.ts';
import { startThread } from '../../../../plugins/definitions-loader/worker/start-thread.ts';
import { baseSet } from './base-set.ts';

/** A process that applies one change after the other until it is killed: `<definitions> <state>`. */
const [, , definitions = '', state = ''] = argv;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const store = new DefinitionStore({
  sources: { directories: [definitions] },
  collector: { stateDirectory: state, secretsDirectory: undefined },
  events: { on: () => () => {}, emit() {} },
  log: quiet as never,
  now: Date.now,
  startThread,
});
await store.load();
stdout.write('ready\n');
for (let round = 0; ; round++) {
  const lines = Array.from({ length: 200 }, (_, i) => `K-MIB::k${i}: { attributes: {}, mib: round${round} }`);
  writeFileSync(join(definitions, 'objects/killed.yml'), `${lines.join('\n')}\n`);
  const oid = `.1.3.6.1.2.1.1.${round}`;
  const text = (baseSet['objects/system.yml'] ?? '').replace('.1.3.6.1.2.1.1.3', oid);
  writeFileSync(join(definitions, 'objects/system.yml'), text);
  await store.apply({ requestedBy: `round ${round}` });
}
