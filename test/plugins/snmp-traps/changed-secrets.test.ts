import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Forwarding } from '../../../plugins/snmp-traps/forwarding/forwarding.ts';
import type { TrapOptions } from '../../../plugins/snmp-traps/options.ts';
import { watchSecrets } from '../../../plugins/snmp-traps/secret-watch.ts';
import { AllowedSenders } from '../../../plugins/snmp-traps/senders/allowed-senders.ts';
import { Secret } from '../../../src/index.ts';
import { SliceTurns } from '../../../src/timing/index.ts';
import { linkDown, ownEngineId } from '../../snmp/notifications/support/notification-lab.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

describe('a secret of snmp-traps whose file changes', () => {
  it('is used by senders, users and targets without a restart; one that cannot be used changes nothing', async (test) => {
    const folder = temporaryFolder(test);
    const write = (name: string, value: string) => writeFileSync(join(folder, name), `${value}\n`);
    const secret = (name: string, value: string) => {
      write(name, value);
      return new Secret(value, join(folder, name));
    };
    const partner = createSocket('udp4').bind(0, '127.0.0.1');
    test.after(() => partner.close());
    await once(partner, 'listening');
    const forwarded: string[] = [];
    partner.on('message', (datagram) => forwarded.push(datagram.toString('latin1')));
    const options = {
      devices: false,
      senders: [
        {
          name: 'campus',
          from: ['192.0.2.0/24'],
          versions: ['2c'],
          communities: [secret('sender', 'first-sender')],
        },
      ],
      users: [
        {
          username: 'ops',
          engine_ids: [],
          authentication_protocol: 'sha256',
          authentication_passphrase: secret('user', 'first-passphrase'),
          privacy_protocol: 'nopriv',
        },
      ],
      forward: [
        {
          name: 'noc',
          to: `127.0.0.1:${partner.address().port}`,
          as: '2c',
          inform: false,
          severity: 'debug',
          names: [],
          community: secret('target', 'first-target'),
        },
      ],
    } as unknown as TrapOptions;
    const registry = { devices: () => [], getTargets: () => [] };
    const failures: unknown[] = [];
    const senders = new AllowedSenders(
      { plugin: 'snmp-traps', options, registry, findInventory: () => undefined },
      new SliceTurns(),
      { on: () => {} } as never,
      { onChange: () => {}, onFailure: (error) => failures.push(error) },
    );
    const forwarding = new Forwarding({
      plugin: 'snmp-traps',
      options,
      engine: { id: ownEngineId, boots: 1 },
    });
    const known = await senders.list();
    const told: { communities?: unknown; passphrase?: unknown } = {};
    senders.follow(
      {
        setRights: ({ senders: [rule] }) => {
          told.communities = rule?.communities;
        },
        setUsers: ([user]) => {
          told.passphrase = user?.settings.authPassphrase;
        },
      },
      known,
    );
    const stop = watchSecrets(options, () => {
      senders.renew();
      failures.push(...forwarding.renew());
    });
    test.after(() => {
      stop();
      senders.close();
      forwarding.close();
    });
    const trap = { oid: linkDown, uptime: 1, varbinds: [], source: '192.0.2.1', kind: 'trap' };
    const forward = () => {
      trap.uptime++;
      forwarding.add({ name: 'IF-MIB::linkDown', severity: 'error' } as never, trap as never);
    };
    forward();
    await until(() => forwarded.some((text) => text.includes('first-target')));
    write('sender', 'second-sender');
    write('user', 'second-passphrase');
    write('target', 'second-target');
    await until(() => told.passphrase === 'second-passphrase');
    assert.deepEqual(told.communities, ['second-sender']);
    await until(() => {
      forward();
      return forwarded.some((text) => text.includes('second-target'));
    });
    assert.deepEqual(failures, []);
    write('user', 'short');
    await until(() => failures.length > 0);
    assert.match(String(failures[0]), /"ops" of snmp-traps cannot be used: its authentication passphrase/);
    assert.equal(told.passphrase, 'second-passphrase');
  });
});
