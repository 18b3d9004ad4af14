import { fileURLToPath } from 'node:url';
import { definePlugin } from '../../src/index.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { webPageOptions } from './options.ts';
import { readPageFiles } from './page-files.ts';
import { fileRoutes } from './serve-files.ts';
import { sessionRoutes } from './sign-in/session-routes.ts';

export default definePlugin({
  name: 'web-page',
  kind: 'service',
  summary: 'Serves the web page: devices, graphs, definitions, events.',
  options: webPageOptions,
  needs: { routes: httpRoutesToken },
  start({ options: { session }, needs, collector }) {
    const files = readPageFiles(fileURLToPath(new URL('./files/', import.meta.url)));
    needs.routes.add(fileRoutes(files));
    const limits = { idleMs: session.idle_minutes * 60_000, maxMs: session.max_hours * 3_600_000 };
    needs.routes.add(sessionRoutes(limits, collector.version, Date.now));
  },
});
