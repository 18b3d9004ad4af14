import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type DefinitionKind, parseYaml, scalarsOf, shippedDefinitions } from '../../../src/internal.ts';
import { findSources } from './definition-reader.ts';
import { contentKey, type ParsedByKey, parsedFilesPath, readParsedFiles } from './parsed-files.ts';
import { decodeText, readFileBytes } from './read-file.ts';

/** Writes down what the parser reads of the definitions that ship, unless that is written already. A part of npm run build. */
export function writeParsedFiles(): void {
  const sources = { shipped: shippedDefinitions(), directories: [] };
  // A file with problems is not written down. They are found again where it is read.
  const ignore = (): void => {};
  const known = readParsedFiles();
  const parsed: ParsedByKey = {};
  for (const { path, kind } of findSources(sources, [], ignore)) {
    const bytes = readFileBytes(path);
    const key = contentKey(kind, bytes);
    const file = known[key] ?? parseFile(kind, decodeText(bytes));
    if (file !== undefined) parsed[key] = file;
  }
  if (Object.keys(parsed).some((key) => known[key] === undefined)) {
    writeFileSync(parsedFilesPath(), gzipSync(JSON.stringify(parsed)));
  }
}

/** Undefined for a file with problems. */
function parseFile(kind: DefinitionKind, text: string): ParsedByKey[string] | undefined {
  const { value, problems, keyOffset } = parseYaml(text, scalarsOf(kind));
  if (value === undefined || problems.length > 0) return undefined;
  return [value, Object.keys(value).map((id) => keyOffset(id) ?? 0)];
}
