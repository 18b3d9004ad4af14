import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import snmpExporter from '../../../../plugins/snmp-exporter/index.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import {
  type ReplayAgent,
  type ReplayAgentOptions,
  startReplayAgent,
} from '../../../../src/testing/index.ts';
import { imported } from '../../../authoring/import/support/imported.ts';
import { findFreePort, findFreeUdpPorts } from '../../../support/free-port.ts';
import { startApi } from '../../http-api/support/api-stack.ts';
import { DefinitionFolder } from '../../support/definition-folder.ts';

env['EXPORTER_TEST_COMMUNITY'] = 'public';

/**
 * Starts Debian's exporter with these modules, and a collector with what the import makes of them. `newer`: what is imported instead, with
 * keys that Debian's exporter does not know.
 */
export async function startBoth(test: TestContext, modules: object, newer: object = modules) {
  const textOf = (each: object) => stringify(each, { aliasDuplicateObjects: false });
  const { directory, source, refused } = await imported(test, 'snmp-exporter', { 'snmp.yml': textOf(newer) });
  const known = join(source, 'known.yml');
  writeFileSync(known, textOf(modules));
  const port = await startRealExporter(test, known);
  const [agentPort] = await findFreeUdpPorts(1);
  let agents = 0;
  // What a person adds: the networks, and where the secret is.
  for (const name of ['autodiscover/networks.yml', 'defaults/device.yml']) {
    const text = readFileSync(join(directory, name), 'utf8')
      .replaceAll('networks: []', `networks: [127.0.0.0/8]\n  port: ${agentPort}`)
      .replace(/\$\{file:[^}]*\}/g, '${env:EXPORTER_TEST_COMMUNITY}');
    writeFileSync(join(directory, name), text);
  }
  const api = await startApi(test, new DefinitionFolder(test, {}, directory), {
    more: [{ plugin: poller, options: { health_every_s: 0 } }, { plugin: snmpExporter }],
  });
  return {
    refused,
    /** Each at an address of its own, at the port that the networks name. */
    startAgent(recording: ReplayAgentOptions['recording']): Promise<ReplayAgent> {
      agents++;
      return startReplayAgent({
        recording,
        address: `127.1.${agents >> 8}.${agents & 255}`,
        port: agentPort!,
      });
    },
    /** The answer of the exporter for an agent, and how to get that of the collector. */
    async scrape({ address }: ReplayAgent, module: string) {
      const query = `target=${address}:${agentPort}&module=${module}`;
      const answer = await fetch(`http://127.0.0.1:${port}/snmp?${query}`);
      const theirs = { status: answer.status, text: await answer.text() };
      return { theirs, scrapeOurs: () => api.call('GET', `/snmp?${query}&auth=${module}`) };
    },
  };
}

/** Starts Debian's exporter with this configuration, and returns its port. */
async function startRealExporter(test: TestContext, config: string): Promise<number> {
  const port = await findFreePort();
  const child = spawn(
    'prometheus-snmp-exporter',
    [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  test.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  while (child.exitCode === null) {
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return port;
    await sleep(50);
  }
  throw new Error('prometheus-snmp-exporter did not start');
}

/** Every series with its value, without those about the scrape. Names of labels are sorted. */
export function seriesOf(text: string): Record<string, number> {
  const series: Record<string, number> = {};
  for (const line of text.split('\n')) {
    const [, name = '', labelText = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value === undefined || name.startsWith('snmp_scrape_')) continue;
    // For Prometheus, an empty label is none.
    const labels = [...labelText.matchAll(/(\w+)="((?:[^"\\]|\\.)+)"/g)].map(
      ([, key, own]) => `${key}=${own}`,
    );
    series[`${name} ${labels.sort().join(' ')}`] = Number(value);
  }
  return series;
}
