import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const source = 'plugins/web-page/browser';

/** The packages inside the bundle. */
const bundled = ['preact', '@preact/signals', '@preact/signals-core', 'uplot'];

/**
 * Writes the files of the web page below the folder of the built code: one bundle, with chunks for what is imported later, each named by its
 * hash so that browsers may keep it, and compressed once so that the collector never does it.
 */
export async function bundleWebPage(folder: string): Promise<void> {
  const target = join(folder, 'plugins/web-page/files');
  const { outputFiles } = await build({
    entryPoints: [join(source, 'main.tsx')],
    outdir: target,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    tsconfig: join(source, 'tsconfig.json'),
    banner: { js: `/*!\n${licenses()}\n*/` },
    legalComments: 'none',
    logLevel: 'warning',
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  const icon = readFileSync(join(source, 'icon.svg'));
  const iconHash = createHash('sha256').update(icon).digest('hex').slice(0, 8).toUpperCase();
  files.set(`icon-${iconHash}.svg`, icon);
  files.set('index.html', Buffer.from(namesInserted([...files.keys()])));

  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const [name, content] of files) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(join(target, name), content);
    writeFileSync(join(target, `${name}.gz`), gzipSync(content, { level: 9 }));
    writeFileSync(join(target, `${name}.br`), brotliCompressSync(content, { params }));
  }
}

/** index.html with the hashed names of the files that it refers to. */
function namesInserted(names: readonly string[]): string {
  return readFileSync(join(source, 'index.html'), 'utf8').replace(
    /"\.\/(\w+)(\.\w+)"/g,
    (_, stem: string, end: string) => {
      const name = names.find((each) => each.startsWith(`${stem}-`) && extname(each) === end);
      if (name === undefined)
        throw new Error(`index.html refers to ${stem}${end}, which the build does not make.`);
      return `"./page/files/${name}"`;
    },
  );
}

function licenses(): string {
  return bundled
    .map((name) => `${name}: ${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}`)
    .join('\n\n');
}
