import { rmSync, writeFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { brotliCompressSync, constants } from 'node:zlib';
import { type CompiledObjects, checkSet, shippedDefinitions } from '../../../src/internal.ts';
import { DefinitionReader } from './definition-reader.ts';
import { contentKey, type PreparedFiles, preparedPaths } from './prepared-definitions.ts';

/** Writes down what the definitions that ship are read as and compile to. A part of npm run build. */
export function prepareDefinitions(): void {
  const paths = preparedPaths();
  for (const path of Object.values(paths)) rmSync(path, { force: true });

  const read = new DefinitionReader().read({ shipped: shippedDefinitions(), directories: [] });
  // A content with problems is not written down. They are found again where it is read.
  const sound = read.files.filter(({ content }) => content.problems.length === 0);
  const contents = Object.fromEntries(
    sound.map(({ content: { kind, text, entries, lines } }) => [
      contentKey(kind, Buffer.from(text)),
      [...entries].map(([id, entry]) => [id, lines.get(id) ?? 1, entry] as const),
    ]),
  );
  const { compiled, problems } = checkSet(read, { env: {}, directory: undefined });
  const compiledFrom = problems.length === 0 ? read.compiledFrom : undefined;
  if (compiledFrom !== undefined) {
    const { objects, notifications, enums } = compiled;
    write(paths.objects, serialize({ objects, notifications, enums } satisfies CompiledObjects));
  }
  const prepared = { contents, compiledFrom } satisfies PreparedFiles;
  write(paths.contents, Buffer.from(JSON.stringify(prepared)));
}

/** A fifth smaller than gzip makes it, read as fast, and written in less than half a second. */
function write(path: string, bytes: Buffer): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(path, brotliCompressSync(bytes, { params }));
}
