import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BatchEncoder } from '../../../src/index.ts';
import { frameBytes, writeFrameHead } from '../../../src/storage/segments/frame.ts';
import { createHeader } from '../../../src/storage/segments/segment-header.ts';
import { createTestBatch, startReplayAgent } from '../../../src/testing/index.ts';
import { CollectorProcess } from '../../cli/support/collector-process.ts';
import { repositoryRoot } from '../../house/support/source-file.ts';
import { smallDefinitions } from '../../plugins/support/definition-folder.ts';
import { findFreePort } from '../../support/free-port.ts';
import { installOurselves } from '../../support/package-folder.ts';
import { listCommands, type Page } from './page.ts';

const anna = {
  name: 'anna',
  authProtocol: 'sha256',
  authPassphrase: 'correct horse',
  privProtocol: 'aes',
  privPassphrase: 'battery staple',
} as const;

/** What the pages assume: a device that answers, a collector that polls it, and the files that they name. */
export interface Stage {
  readonly env: Readonly<Record<string, string>>;
  /** Creates a folder for the page. */
  prepare(page: Page): string;
  /** Replaces the documentation addresses of a text with real ones of this stage. */
  localise(text: string): string;
  close(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const undos: (() => void)[] = [];
  const recording = join(repositoryRoot, 'test/recordings/switch.snmprec');
  const agent = await startReplayAgent({ recording, users: [anna], knobs: { hasMovingUptime: true } });
  const collector = new CollectorProcess({ after: (undo: () => void) => void undos.push(undo) });
  const freePort = await findFreePort();
  furnish(collector.folder, agent.port, '127.0.0.1:0', 'collector-state');
  installOurselves(collector.folder);
  const routes = 'http-routes-plugin/index.js';
  mkdirSync(join(collector.folder, dirname(routes)));
  copyFileSync(join(repositoryRoot, 'examples', routes), join(collector.folder, routes));
  appendFileSync(join(collector.folder, 'waywiser.yml'), `  ./${routes}: {}\n`);
  collector.run(['start']);
  await collector.reads('The collector is ready.');
  const [, baseUrl = ''] = /"baseUrl":"([^"]+)"/.exec(collector.stderr) ?? [];
  while (!(await (await fetch(`${baseUrl}/api/v1/snmp/metrics`)).text()).includes('\nsnmp_')) await pause();

  const localise = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:8080', baseUrl)
      .replace(/\b9000\b/g, `${freePort}`)
      .replaceAll('192.0.2.0/24', `127.0.0.1-1:${agent.port}`)
      .replace(/192\.0\.2\.([12])("?[/ ,]+(?:"port": )?)161\b/g, `127.0.0.$1$2${agent.port}`)
      .replace(/192\.0\.2\.2\b/g, '127.0.0.2')
      .replace(/192\.0\.2\.[17]\b|\bswitch\.example\b/g, `127.0.0.1:${agent.port}`)
      .replaceAll('/etc/elastiflow/snmp', 'definitions');
  return {
    env: {
      WAYWISER_URL: baseUrl,
      WAYWISER_TOKEN: 'nobody-asks-for-one',
      COMMUNITY: 'public',
      AUTH: anna.authPassphrase,
      PRIV: anna.privPassphrase,
      PWD: repositoryRoot,
    },
    prepare(page) {
      const { path, blocks } = page;
      const folder = join(collector.folder, path.replaceAll('/', '-'));
      mkdirSync(folder);
      if (path === 'docs/writing-a-plugin.md') {
        installOurselves(folder);
        const { text = '' } = blocks.find(({ language }) => language === 'yaml') ?? {};
        writeFileSync(join(folder, 'waywiser.yml'), localise(text));
      } else if (
        path !== 'docs/init.md' &&
        listCommands(page).some(({ text }) => text.startsWith('waywiser'))
      )
        furnish(folder, agent.port, baseUrl.slice('http://'.length), 'state');
      return folder;
    },
    localise,
    async close() {
      for (const undo of undos) undo();
      await agent.close();
    },
  };
}

/** Fills a folder with the files that a user has after the first day. */
function furnish(folder: string, port: number, api: string, state: string): void {
  const recording = readFileSync(join(repositoryRoot, 'test/recordings/switch.snmprec'));
  const segment = writeSegment(0x1a2b3c4d);
  const [host, apiPort] = api.split(':');
  const files: Record<string, string | Buffer> = {
    'secrets/core': 'public',
    'my-password': 'twelve letters and more\n',
    'batches/0000000000000001-1a2b3c4d.segment': segment,
    'state/queues/http/0000000000000001-1a2b3c4d.segment': segment,
    'state/dead-letters/http.ndjson': `${JSON.stringify({ refusedAt: '2026-01-31', why: 'no', slotMs: 0, timeMs: 0, rows: [] })}\n`,
    'switch.snmprec.gz': gzipSync(recording),
    'snmp.yml': `auths: { public_v2: { community: public, version: 2 } }
modules: { uptime: { metrics: [{ name: sysUpTime, oid: 1.3.6.1.2.1.1.3, type: gauge, help: Uptime }] } }
`,
    'mibs/IF-MIB.txt': interfaceMib,
    'inventory/devices/core.yml': `core-1: { ip: 127.0.0.1, port: ${port}, version: 2c, communities: ['\${file:core}'], device_groups: [switch], poll_interval: 1 }\n`,
    'inventory/autodiscover/networks.yml': `office: { credentials: [{ version: 2c, community: '\${file:core}' }], port: ${port}, networks: [127.0.0.1/32] }\n`,
    'waywiser.yml': `instance: lab
state_directory: ./${state}
secrets_directory: ./secrets
plugins:
  definitions-loader: { shipped: false, directories: [./definitions, ./inventory] }
  device-registry: {}
  snmp-client: {}
  snmp-discovery: {}
  snmp-poller: { finish_within_ms: 300 }
  network-discovery: {}
  http-api: { host: ${host}, port: ${apiPort}, managed_devices: { networks: [127.0.0.0/8] } }
  history: {}
  prometheus: {}
  ndjson/audit: { file: ./records.ndjson }
`,
  };
  for (const [path, text] of Object.entries(smallDefinitions)) files[`definitions/${path}`] = text;
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** As much of IF-MIB as the pages name. */
const interfaceMib = `IF-MIB DEFINITIONS ::= BEGIN
IMPORTS interfaces FROM RFC1213-MIB OBJECT-TYPE FROM SNMPv2-SMI;
ifTable OBJECT-TYPE SYNTAX SEQUENCE OF IfEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "" ::= { interfaces 2 }
ifEntry OBJECT-TYPE SYNTAX IfEntry MAX-ACCESS not-accessible STATUS current DESCRIPTION "" INDEX { ifIndex } ::= { ifTable 1 }
IfEntry ::= SEQUENCE { ifIndex INTEGER, ifOperStatus INTEGER }
ifIndex OBJECT-TYPE SYNTAX INTEGER MAX-ACCESS read-only STATUS current DESCRIPTION "" ::= { ifEntry 1 }
ifOperStatus OBJECT-TYPE SYNTAX INTEGER { up(1), down(2) } MAX-ACCESS read-only STATUS current DESCRIPTION "" ::= { ifEntry 8 }
END
`;

/** A segment file that contains one batch. */
function writeSegment(marker: number): Buffer {
  const record = new BatchEncoder().encode(createTestBatch());
  const head = Buffer.alloc(frameBytes);
  writeFrameHead(head, marker, 1, Date.now(), record);
  return Buffer.concat([createHeader(Date.now()), head, record]);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
