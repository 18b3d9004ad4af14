import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';

/** CommonJS inside the bundle, and packages outside of it that are CommonJS, need `require`. */
const requireLine =
  "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);";

/** Makes one file of a built module and of all that it imports, except for the packages named in `external`. */
export async function bundleInPlace(path: string, external: readonly string[] = []): Promise<void> {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    outfile: path,
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: [...external],
    legalComments: 'none',
    logLevel: 'warning',
  });
  writeFileSync(path, `/*!\n${licensesOf(metafile)}\n*/\n${requireLine}\n${outputFiles[0]!.text}`);
}

/** The licence of each package whose code is in a bundle, with its version. Throws where a package does not say it. */
function licensesOf({ inputs }: Metafile): string {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  return [...folders].sort().map(licenseOf).join('\n\n');
}

function licenseOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
  if (file === undefined && license === undefined) throw new Error(`${name} does not say its licence.`);
  const text =
    file === undefined
      ? `${license}, ${author?.name ?? author}`
      : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version}: ${text.replaceAll('*/', '* /')}`;
}
