import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { onlyLong } from '../../support/long-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { EtcdServer, noEtcd } from './support/etcd-server.ts';
import { MemberChild } from './support/member-child.ts';

const system = 'objects/system.yml';
const names = ['a', 'b', 'c'] as const;

/** The definitions of a round differ in one attribute. */
const textOf = (round: number) =>
  `${smallDefinitions[system]}    round${round}: { oid: .1.3.6.1.2.1.1.5, name: system.name, syntax: DisplayString }\n`;

/** The step at which a member is killed: it hears of this key of the store. */
const rounds = [
  { killed: 'a', at: 'definitions/proposed', what: 'the member that was asked, when it has proposed' },
  { killed: 'a', at: 'definitions/ready/b', what: 'the member that was asked, when another one is ready' },
  { killed: 'a', at: 'definitions/current', what: 'the member that was asked, when all may switch' },
  { killed: 'b', at: 'definitions/proposed', what: 'another member, when it shall try them out' },
  { killed: 'b', at: 'definitions/current', what: 'another member, when it shall switch' },
] as const;

describe('an apply in a cluster of which a member is killed', { skip: noEtcd || onlyLong }, () => {
  it('leaves all members with the old definitions, or all with the new ones', async (t) => {
    const etcd = await EtcdServer.start(t);
    const folder = new DefinitionFolder(t, { [system]: textOf(0) });
    const state = Object.fromEntries(names.map((name) => [name, temporaryFolder(t)]));
    const start = (name: (typeof names)[number]) =>
      new MemberChild(t, { name, definitions: folder.path, etcd: etcd.url, stateDirectory: state[name]! });
    const members = Object.fromEntries(names.map((name) => [name, start(name)])) as Record<
      (typeof names)[number],
      MemberChild
    >;
    const all = () => Object.values(members);
    const waitFor = async (isTrue: () => boolean, what: string) => {
      for (let turn = 0; !isTrue(); turn++) {
        const seen = names.map((name) => `${name}: ${members[name].attributes.join()}`).join('; ');
        assert.ok(turn < 1_200, `not within two minutes: ${what}. ${seen}`);
        await sleep(100);
      }
    };
    const use = (round: number) => all().every(({ attributes }) => attributes.includes(`round${round}`));
    await waitFor(() => use(0) && all().every(({ owned }) => owned > 0), 'all members own shards');
    let [used, switched] = [0, 0];
    for (const [index, { killed, at, what }] of rounds.entries()) {
      const round = index + 1;
      folder.write(system, textOf(round));
      const before = await readCurrent(etcd);
      const ended = new Promise<void>((resolve) =>
        members[killed].onKey((key) => {
          if (key === at) resolve(members[killed].end('SIGKILL'));
        }),
      );
      members.a.apply();
      await ended;
      members[killed] = start(killed);
      await waitFor(() => all().every(({ owned }) => owned > 0), `all own shards after ${what}`);
      // The lease of the killed process has ended, and an apply that still ran is over.
      const current = await readCurrent(etcd);
      // The first apply also writes down what was in use before.
      const isSwitched = current !== before && current?.includes('"test"') === true;
      if (isSwitched) {
        used = round;
        switched++;
      }
      await waitFor(() => use(used), `all use round ${used} after the kill of ${what}`);
      assert.ok(
        all().every(({ attributes }) => attributes.filter((name) => /^round/.test(name)).length === 1),
      );
      t.diagnostic(`${what}: all members have the ${isSwitched ? 'new' : 'old'} definitions`);
    }
    assert.ok(switched > 0 && switched < rounds.length, 'both ends were seen');
  });
});

/** The revision that counts, as text. */
async function readCurrent(etcd: EtcdServer): Promise<string | undefined> {
  return /definitions\/current[^{]*(\{[^}]*\})/.exec(await etcd.readAll())?.[1];
}
