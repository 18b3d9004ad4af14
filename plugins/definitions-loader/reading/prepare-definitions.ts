import { rmSync, writeFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { brotliCompressSync, constants } from 'node:zlib';
import { checkSet, createCheckMemory } from '../../../src/definitions/index.ts';
import { shippedDefinitions } from '../../../src/own-package.ts';
import { DefinitionReader } from './definition-reader.ts';
import {
  contentKey,
  type PreparedFiles,
  type PreparedObjects,
  preparedPaths,
} from './prepared-definitions.ts';

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
  const memory = createCheckMemory();
  const { compiled, problems } = checkSet(read, { env: {}, directory: undefined }, memory);
  // With a problem, a definition would be taken from here without its problem.
  if (problems.length === 0) {
    const { objects, notifications, enums } = compiled;
    const links = new Map([...objects].map(([id, object]) => [id, memory.compiled.linksOf(object) ?? '']));
    const prepared = { compiled: { objects, notifications, enums }, links } satisfies PreparedObjects;
    write(paths.objects, serialize(prepared));
  }
  write(paths.contents, Buffer.from(JSON.stringify(contents satisfies PreparedFiles)));
}

/** A fifth smaller than gzip makes it, read as fast, and written in less than half a second. The window holds all of it. */
function write(path: string, bytes: Buffer): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 23 };
  writeFileSync(path, brotliCompressSync(bytes, { params }));
}
