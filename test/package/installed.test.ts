import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { env, execPath } from 'node:process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findFreePort, findFreeUdpPorts } from '../support/free-port.ts';
import { onlyLong } from '../support/long-run.ts';
import { missingShared, sharedPath } from '../support/needs.ts';
import { copyPackage } from '../support/package-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addPackage, installPackage } from './support/installed-package.ts';
import { checkout, packOnce } from './support/packed-package.ts';

const run = promisify(execFile);
const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
const examples = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'package.json')));
const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
};
/** `waywiser`, `waywiser/snmp`, …; those of plugins have a star in their name. */
const entries = Object.keys(manifest.exports)
  .filter((name) => !name.includes('*') && !name.endsWith('.json'))
  .map((name) => `waywiser${name.slice(1)}`);
// On Node.js as it runs this test, and on another one where WAYWISER_OTHER_NODE names its program, as .ci/run does.
for (const node of [execPath, ...(env['WAYWISER_OTHER_NODE'] ? [env['WAYWISER_OTHER_NODE']] : [])]) {
  describe(`the packed package in an empty folder, with ${node}`, { skip: onlyLong }, () => {
    const folder = temporaryFolder();
    const command = join(folder, 'node_modules/waywiser/dist/cli/main.js');
    const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, NODE_V8_COVERAGE: ___, ...inherited } = env;
    const childEnv = {
      ...inherited,
      NO_COLOR: '1',
      PATH: [join(folder, 'node_modules/.bin'), dirname(node), env['PATH']].join(delimiter),
    };
    const type = (words: readonly string[], cwd = folder) => run(node, words, { cwd, env: childEnv });

    before(async () => {
      await installPackage((await packOnce()).tarball, folder);
      for (const name of examples) copyPackage(name, join(folder, name));
      // What their manifests ask for beside: types, and a server for the tests of routes.
      for (const name of ['@types/node', 'fastify']) addPackage(name, folder);
    });

    it('loads every entry point', async () => {
      for (const entry of entries) {
        const { stdout } = await type([
          '-e',
          `import('${entry}').then((found) => console.log(Object.keys(found).length))`,
        ]);
        assert.ok(Number(stdout) > 0, `${entry}: ${stdout}`);
      }
    });

    it('has types for every entry point', async () => {
      const lines = entries.map((entry, i) => `import type * as entry${i} from '${entry}';`);
      const names = entries.map((_entry, i) => `keyof typeof entry${i}`);
      writeFileSync(
        join(folder, 'types.mts'),
        `${lines.join('\n')}\nexport type All = ${names.join(' | ')};\n`,
      );
      const options = '--noEmit --strict --skipLibCheck --module nodenext --target es2023 --types node'.split(
        ' ',
      );
      await type([tsc, ...options, 'types.mts']);
    });

    it('has an example for every entry point', () => {
      const texts = examples
        .flatMap((name) => readdirSync(join('examples', name)).map((file) => join('examples', name, file)))
        .filter((path) => path.endsWith('.js'))
        .map((path) => readFileSync(path, 'utf8'));
      assert.deepEqual(
        entries.filter((entry) => !texts.some((text) => text.includes(`from '${entry}'`))),
        [],
      );
    });

    for (const name of examples) {
      it(`runs the tests of the example ${name}`, async () => {
        const isTypeScript = existsSync(join(folder, name, 'tsconfig.json'));
        if (isTypeScript) await type([tsc], join(folder, name));
        const tests = isTypeScript ? ['--test', 'dist/index.test.js'] : ['--test'];
        const { stdout } = await type(tests, join(folder, name));
        assert.match(stdout, /^(#|ℹ) fail 0$/m);
        assert.doesNotMatch(stdout, /^(#|ℹ) pass 0$/m);
      });
    }

    it('has a command that finds its definitions, plugins and templates', async () => {
      assert.equal((await type([command, '--version'])).stdout.trim(), manifest.version);
      await type([command, 'check', '--strict', 'node_modules/waywiser/definitions']);
      const shipped = ['--directory', 'node_modules/waywiser/definitions'];
      assert.match((await type([command, 'plugins'])).stdout, / snmp-poller /);
      assert.match(
        (await type([command, 'show', 'object', 'IF-MIB::ifXEntry', ...shipped])).stdout,
        /ifHCInOctets/,
      );
      await type([command, 'new', 'output', 'my-output']);
      assert.ok(existsSync(join(folder, 'my-output/package.json')));
    });

    it('reads MIBs, drafts definitions from them, and imports a configuration', {
      skip: missingShared('mibs') || missingShared('recordings') || missingShared('profiles'),
    }, async () => {
      const trial = join(folder, 'trial');
      mkdirSync(trial);
      cpSync(sharedPath('mibs'), join(trial, 'mibs'), { recursive: true });
      cpSync(join(sharedPath('recordings'), 'cisco-c3750.snmprec.gz'), join(trial, 'switch.snmprec.gz'));
      await run('tar', ['xJf', join(sharedPath('profiles'), 'profiles.tar.xz'), '-C', trial]);
      writeFileSync(
        join(trial, 'telegraf.conf'),
        '[[inputs.snmp]]\n  agents = ["192.0.2.1"]\n  version = 2\n  community = "lab"\n' +
          '  [[inputs.snmp.table]]\n    oid = "IF-MIB::ifXTable"\n',
      );
      const waywiser = async (line: string) => (await type([command, ...line.split(' ')], trial)).stdout;
      for (const [line, said] of [
        ['mib show IF-MIB::ifOperStatus.3 --mibs mibs', /^instance +ifIndex 3$/m],
        ['mib show 1.3.6.1.2.1.2.2.1.8.3 --mibs mibs', /^IF-MIB::ifOperStatus\.3$/m],
        ['mib check mibs/IF-MIB.txt mibs/IANAifType-MIB.txt', /^0 errors, /m],
        ['mib dump mibs/IF-MIB.txt --json', /"name":"ifHCInOctets"/],
        ['mib draft IF-MIB --mibs mibs --out from-a-mib', /waywiser check --shipped from-a-mib/],
        ['check --shipped from-a-mib', /^0 errors, 0 warnings$/m],
        ['draft switch.snmprec.gz --mibs mibs --out from-a-recording', /^Wrote \d+ files/m],
        ['check --shipped from-a-recording', /^0 errors, /m],
        ['coverage switch.snmprec.gz --mibs mibs', /^Collected: \d{4} values/m],
        ['import snmp-exporter snmp_exporter/snmp.yml --out exporter', /waywiser check exporter --shipped/],
        ['check exporter --shipped --secrets exporter/secrets', /^0 errors, 0 warnings$/m],
        ['import kentik kentik/kentik_snmp --out kentik-out --mibs mibs', /^Next: waywiser check/m],
        ['check kentik-out --shipped', /^0 errors, /m],
        ['import datadog datadog-style/default --out datadog', /^Next: waywiser check/m],
        ['check datadog --shipped', /^0 errors, /m],
        ['import telegraf telegraf.conf --out telegraf --mibs mibs', /^Next: waywiser check/m],
        ['check telegraf --shipped --secrets telegraf/secrets', /^0 errors, /m],
      ] as const) {
        assert.match(await waywiser(line), said, line);
      }
    });

    describe('the demonstration that it holds', () => {
      let collector: ChildProcess;
      let baseUrl: string;
      before(async () => {
        baseUrl = await moveDemonstration(join(folder, 'node_modules/waywiser/examples/demo'));
        mkdirSync(join(folder, 'demo'));
        const config = join(folder, 'node_modules/waywiser/examples/demo/waywiser.yml');
        collector = spawn(node, [command, 'start', '--config', config], {
          cwd: join(folder, 'demo'),
          env: { ...childEnv, WAYWISER_STATE_DIRECTORY: join(folder, 'demo/state') },
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        const exit = once(collector, 'exit').then(([code]) =>
          assert.fail(`the collector ended with code ${code}`),
        );
        await Promise.race([once(collector.stdout!, 'data'), exit]);
      });
      after(() => void collector?.kill('SIGKILL'));

      it('starts, and the example api-client lists its devices and receives its events', async () => {
        const { stdout } = await type(['index.js', baseUrl, '1'], join(folder, 'api-client'));
        const lines = stdout.trim().split('\n');
        assert.equal(lines.length, 13, stdout);
        assert.match(stdout, /^printer-2 +127\.0\.0\.1:\d+ /m);
      });

      it('stops in order', async () => {
        const ended = once(collector, 'exit');
        collector.kill('SIGINT');
        assert.deepEqual(await ended, [0, null]);
      });
    });
  });
}

/** Gives the demonstration free ports and returns the address of its API. */
async function moveDemonstration(folder: string): Promise<string> {
  const api = await findFreePort();
  const ports = await findFreeUdpPorts(12);
  for (const name of ['devices.js', 'definitions/devices/demo.yml', 'waywiser.yml']) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8')
      .replace(/\b161(0[1-9]|1[0-2])\b/g, (_, device) => `${ports[Number(device) - 1]}`)
      .replace('port: 8080', `port: ${api}`);
    writeFileSync(file, text);
  }
  return `http://127.0.0.1:${api}`;
}
