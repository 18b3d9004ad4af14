import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { bundleInPlace } from './bundle-in-place.ts';
import { bundleWebPage } from './web-page-bundle.ts';

// The end of npm run build, in the folder of the built code: what would otherwise be done at each start.
const [, , folder = 'dist'] = argv;
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
// TypeBox has 249 modules.
await bundleInPlace(join(folder, 'src/typebox.js'));
await bundleInPlace(join(folder, 'plugins/http-api/server/fastify.js'), Object.keys(dependencies));
await bundleWebPage(folder);
const preparing = resolve(folder, 'plugins/definitions-loader/reading/prepare-definitions.js');
(await import(pathToFileURL(preparing).href)).prepareDefinitions();
