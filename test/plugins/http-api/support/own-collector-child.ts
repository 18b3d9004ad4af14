import { register } from 'node:module';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

/**
 * usage: own-collector-child ROUTE… Runs a collector with http-api and a plugin of somebody else, and writes as JSON: its plugins, the files
 * of the repository that it loaded, and the answer to each route.
 */
const root = new URL('../../../../', import.meta.url).href;
const files = new Set<string>();
const { port1, port2 } = new MessageChannel();
port1.on('message', (url: string) => {
  if (url.startsWith(root) && !url.includes('/node_modules/'))
    files.add(fileURLToPath(url).slice(fileURLToPath(root).length));
});
port1.unref();
const hook = `let port;
export function initialize(given) { port = given; }
export async function load(url, context, next) { port.postMessage(url.split('?')[0]); return next(url, context); }`;
register<MessagePort>(`data:text/javascript,${encodeURIComponent(hook)}`, {
  data: port2,
  transferList: [port2],
});

const { createCollector } = await import('../../../../src/index.ts');
const { httpApiToken } = await import('../../../../plugins/http-api/service.ts');
const { lamp } = await import('./lamp-plugin.ts');
const collector = await createCollector(
  {
    instance: 'own',
    state_directory: argv[2]!,
    plugins: { 'http-api': { port: 0, limits: { loop_delay_ms: 60_000 } }, lamp },
  },
  { env: {} },
);
await collector.start();
const { baseUrl } = collector.getService(httpApiToken);
const answers: Record<string, unknown> = {};
for (const route of argv.slice(3)) {
  const [method = '', path = ''] = route.split(' ');
  const body =
    method === 'PUT' ? { body: '{"isOn":true}', headers: { 'content-type': 'application/json' } } : {};
  const answer = await fetch(baseUrl + path, { method, ...body });
  answers[route] = { status: answer.status, text: await answer.text() };
}
const plugins = collector.describe().plugins.map(({ name }) => name);
await collector.stop();
process.stdout.write(JSON.stringify({ plugins, files: [...files], answers }));
