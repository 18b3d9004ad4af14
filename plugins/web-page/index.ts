import { fileURLToPath } from 'node:url';
import { definePlugin } from '../../src/index.ts';
import { httpRoutesToken } from '../http-routes/service.ts';
import { readPageFiles } from './page-files.ts';
import { fileRoutes } from './serve-files.ts';

export default definePlugin({
  name: 'web-page',
  kind: 'service',
  summary: 'Serves the web page: devices, graphs, definitions, events.',
  needs: { routes: httpRoutesToken },
  start({ needs }) {
    const files = readPageFiles(fileURLToPath(new URL('./files/', import.meta.url)));
    needs.routes.add(fileRoutes(files));
  },
});
