import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type DefinitionKind, parseYaml, scalarsOf, shippedDefinitions } from '../../../src/internal.ts';
import { DefinitionReader } from './definition-reader.ts';
import { contentKey, type ParsedByKey, parsedFilesPath, readParsedFiles } from './parsed-files.ts';

/** Writes down what the parser reads of the definitions that ship, unless that is written already. A part of npm run build. */
export function writeParsedFiles(): void {
  const { files } = new DefinitionReader().read({ shipped: shippedDefinitions(), directories: [] });
  const known = readParsedFiles();
  const parsed: ParsedByKey = {};
  for (const { content } of files) {
    const key = contentKey(content.kind, Buffer.from(content.text));
    const file = known[key] ?? parseFile(content.kind, content.text);
    if (file !== undefined) parsed[key] = file;
  }
  if (Object.keys(parsed).some((key) => known[key] === undefined)) {
    writeFileSync(parsedFilesPath(), gzipSync(JSON.stringify(parsed)));
  }
}

/** Undefined for a file with problems: these are found again where it is read. */
function parseFile(kind: DefinitionKind, text: string): ParsedByKey[string] | undefined {
  const { value, problems, keyOffset } = parseYaml(text, scalarsOf(kind));
  if (value === undefined || problems.length > 0) return undefined;
  return [value, Object.keys(value).map((id) => keyOffset(id) ?? 0)];
}
