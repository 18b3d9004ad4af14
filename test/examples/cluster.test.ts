import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { ApiClient } from '../../src/client/index.ts';
import { createPluginFinder } from '../../src/collector/built-in-plugins.ts';
import { findStrayVariables } from '../../src/collector/environment.ts';
import { CollectorProcess } from '../cli/support/collector-process.ts';
import { repositoryRoot } from '../house/support/source-file.ts';
import { EtcdServer, noEtcd } from '../plugins/cluster/support/etcd-server.ts';
import { findFreePort, findFreeUdpPorts } from '../support/free-port.ts';
import { onlyLong } from '../support/long-run.ts';
import { modulePath, nodeOptions } from '../support/own-module.ts';
import { copyExample } from './support/example-copy.ts';

const devices = 24;

describe('the example of a cluster', () => {
  it('shares its devices between three members, and goes on without one', {
    skip: onlyLong || noEtcd,
  }, async (t) => {
    const etcd = await EtcdServer.start(t);
    const example = new Example(t, etcd.url, await findFreeUdpPorts(devices));
    await example.startDevices();
    const members = [];
    for (const name of ['core-1', 'core-2', 'core-3']) members.push(await example.startMember(name));
    const [first, ...others] = members;

    await until(async () => (await first!.owned()).join() === `${devices},3`);
    first!.kill();
    for (const member of others) await until(async () => (await member.owned()).join() === `${devices},2`);
    for (const member of others) await until(async () => (await member.countUp()) === devices);
  });

  it('names options that exist in compose.yml and statefulset.yml', async () => {
    const finder = createPluginFinder(repositoryRoot);
    const configuration = read('waywiser.yml')
      .match(/^ {2}([\w-]+):/gm)!
      .map((line) => line.trim().slice(0, -1));
    const instances = await Promise.all(
      configuration.map(async (name) => ({
        name,
        plugin: (await finder.find(name)).plugin,
        options: {},
        isBuiltIn: true,
      })),
    );
    for (const file of ['compose.yml', 'statefulset.yml', 'start-member.sh']) {
      const variables = [...new Set(read(file).match(/\bWAYWISER_PLUGINS__\w+/g))];
      assert.ok(variables.length >= 3, file);
      const env = Object.fromEntries(variables.map((name) => [name, '']));
      assert.deepEqual(findStrayVariables(instances, env), [], file);
    }
  });

  it('is YAML that Docker Compose and Kubernetes can read', () => {
    for (const file of ['compose.yml', 'statefulset.yml', 'waywiser.yml']) {
      const documents = parseAllDocuments(read(file), { merge: true });
      assert.deepEqual(
        documents.flatMap(({ errors }) => errors),
        [],
        file,
      );
    }
    const [, set] = parseAllDocuments(read('statefulset.yml')).map((document) => document.toJS());
    const { items } = set.spec.template.spec.volumes[0].configMap;
    for (const { path } of items) assert.ok(existsSync(join(repositoryRoot, 'examples/cluster', path)), path);
    const [compose] = parseAllDocuments(read('compose.yml'), { merge: true });
    const { services } = compose!.toJS();
    for (const name of ['core-1', 'core-2', 'core-3']) {
      assert.equal(services[name].environment.WAYWISER_PLUGINS__CLUSTER__ADVERTISE, `http://${name}:8080`);
      assert.ok(services[name].volumes.includes(`${name}:/state`), 'a state directory of its own');
    }
  });
});

function read(file: string): string {
  return readFileSync(join(repositoryRoot, 'examples/cluster', file), 'utf8');
}

/** A copy of the example with the ports of this test, in which its own scripts run. */
class Example {
  readonly #test: TestContext;
  readonly #folder: CollectorProcess;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(test: TestContext, etcd: string, ports: readonly number[]) {
    this.#test = test;
    this.#folder = new CollectorProcess(test);
    copyExample('cluster', this.#folder, (text) =>
      text
        .replace(/port: 162(\d\d)\b/g, (_, device) => `port: ${ports[Number(device) - 1]}`)
        .replace('port: firstPort + i', `port: [${ports}][i]`)
        .replace('../../test/recordings', join(repositoryRoot, 'test/recordings')),
    );
    const main = modulePath(new URL('../../cli/main.ts', import.meta.url));
    this.#folder.write(
      'waywiser',
      `#!/bin/sh\nexec ${[process.execPath, ...nodeOptions, main].join(' ')} "$@"\n`,
    );
    chmodSync(join(this.#folder.folder, 'waywiser'), 0o755);
    this.#env = {
      ...process.env,
      // Members are killed, and would not write their coverage.
      NODE_V8_COVERAGE: '',
      PATH: `${this.#folder.folder}:${process.env['PATH']}`,
      CLUSTER_TOKEN: 'of-the-cluster',
      SNMP_COMMUNITY: 'public',
      WAYWISER_PLUGINS__CLUSTER__ETCD__ENDPOINTS: `[${etcd}]`,
      WAYWISER_PLUGINS__CLUSTER__LEASE_SECONDS: '3',
    };
  }

  async startDevices(): Promise<void> {
    const child = this.#spawn(process.execPath, ['made-up-devices.js']);
    await reads(child, 'Ctrl-C stops them.');
  }

  async startMember(name: string) {
    const port = await findFreePort();
    const child = this.#spawn('sh', ['start-member.sh', name, String(port)]);
    await reads(child, 'The collector is ready.');
    const client = new ApiClient({ baseUrl: `http://127.0.0.1:${port}` });
    return {
      kill: () => child.kill('SIGKILL'),
      /** How many devices all members own together, and how many members there are. */
      owned: async () => {
        const { body } = await client.call('getCluster', {});
        const owned = body.isClustered ? body.members : [];
        return [owned.reduce((sum, each) => sum + each.devices, 0), owned.length];
      },
      countUp: async () => (await client.call('listDevices', { query: { state: 'up' } })).body.total,
    };
  }

  #spawn(command: string, words: readonly string[]): ChildProcess {
    const child = spawn(command, words, {
      cwd: this.#folder.folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#test.after(() => child.kill('SIGKILL'));
    return child;
  }
}

/** Waits until the process has written `text`. */
async function reads(child: ChildProcess, text: string): Promise<void> {
  let written = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (more) => (written += more));
  while (!written.includes(text)) {
    if (child.exitCode !== null) throw new Error(`ended before it wrote "${text}": ${written}`);
    await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data'), once(child, 'close')]);
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds().catch(() => false))) await delay(100);
}
