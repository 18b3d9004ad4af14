import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleWebPage } from './web-page-bundle.ts';

// The end of npm run build, in the folder of the built code: what would otherwise be done at each start.
const [, , folder = 'dist'] = argv;
await bundleTypebox(join(folder, 'src/typebox.js'));
await bundleWebPage(folder);
const preparing = resolve(folder, 'plugins/definitions-loader/reading/prepare-definitions.js');
(await import(pathToFileURL(preparing).href)).prepareDefinitions();

/** Makes one file of the 249 modules of TypeBox behind src/typebox.js. */
async function bundleTypebox(path: string): Promise<void> {
  await build({
    entryPoints: [path],
    outfile: path,
    allowOverwrite: true,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    banner: { js: `/*! ${readFileSync('node_modules/@sinclair/typebox/license', 'utf8')} */` },
    legalComments: 'none',
    logLevel: 'warning',
  });
}
