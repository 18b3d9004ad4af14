import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  type CheckedContent,
  type CheckedFile,
  ContentChecker,
  type DefinitionFolder,
  type DefinitionKind,
  findKindOf,
  type ReadFiles,
  readingLimits,
  type YamlPlaces,
} from '../../../src/definitions/index.ts';
import type { Problem } from '../../../src/index.ts';
import { type DefinitionRoot, type DefinitionSources, listRoots } from './definition-roots.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import { contentKey, PreparedDefinitions } from './prepared-definitions.ts';
import { decodeText } from './read-file.ts';
import { SettledFileReader } from './read-settled-file.ts';
import { ReadingProblem } from './reading-problem.ts';

/** Reads and checks definition files. A file whose content is the same as at the last reading is only hashed. */
export class DefinitionReader {
  readonly #checker = new ContentChecker();
  readonly #prepared = new PreparedDefinitions();
  #known = new Map<string, CheckedContent>();

  read(sources: DefinitionSources): ReadFiles {
    const problems: Problem[] = [];
    const report = (file: string, { rule, line, message }: ReadingProblem): void => {
      problems.push({ level: 'error', file, line, column: 1, rule, message });
    };
    const seen = new Map<string, CheckedContent>();
    const files: CheckedFile[] = [];
    const places = new Map<CheckedContent, YamlPlaces>();
    let heldCharacters = 0;
    const check = ({ path, kind }: SourceFile, key: string, bytes: Buffer): CheckedContent => {
      const text = decodeText(bytes);
      const prepared = this.#prepared.contentOf(path, kind, key, text);
      if (prepared !== undefined) return prepared;
      const { content, places: found } = this.#checker.check(kind, text);
      heldCharacters += text.length;
      if (heldCharacters <= readingLimits.maxHeldCharacters) places.set(content, found);
      else places.clear();
      return content;
    };
    const reader = new SettledFileReader(readingLimits.settleMs, Date.now);
    const fingerprint = createHash('sha256');
    for (const file of findSources(sources, problems, report)) {
      const { name, rootIndex } = file;
      try {
        const bytes = reader.read(file.path);
        const key = contentKey(file.kind, bytes);
        const content = this.#known.get(key) ?? check(file, key, bytes);
        seen.set(key, content);
        fingerprint.update(`${name}\n${key}\n`);
        files.push({ name, rootIndex, content });
        if (problems.length > readingLimits.maxProblems) continue;
        for (const problem of content.problems) problems.push({ ...problem, file: name });
      } catch (error) {
        report(name, ReadingProblem.from(error));
      }
    }
    this.#known = seen;
    return {
      files,
      problems,
      places,
      fingerprint: fingerprint.digest('hex'),
      compiledBefore: this.#prepared.compiled(),
    };
  }
}

interface SourceFile {
  readonly path: string;
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly rootIndex: number;
}

/** Every file to read, in order; none when the files exceed the limits. */
function findSources(
  sources: DefinitionSources,
  problems: Problem[],
  report: (file: string, problem: ReadingProblem) => void,
): SourceFile[] {
  for (const directory of sources.directories) {
    if (!sources.mayBeMissing && !existsSync(directory)) report(directory, missingDirectory());
  }
  const files: SourceFile[] = [];
  const rootCounts = new Map<DefinitionFolder, number>();
  let totalBytes = 0;
  for (const root of listRoots(sources)) {
    const rootIndex = rootCounts.get(root.folder) ?? 0;
    rootCounts.set(root.folder, rootIndex + 1);
    for (const { path, name: below, bytes } of findFilesOf(
      root,
      readingLimits.maxFiles - files.length,
      report,
    )) {
      const kind = findKindOf(root.folder, below);
      const name = `${root.label}/${below}`;
      if (kind === undefined) problems.push(strayFile(name));
      else files.push({ path, name, kind, rootIndex });
      totalBytes += Math.min(bytes, readingLimits.maxFileBytes);
      if (totalBytes > readingLimits.maxTotalBytes) {
        report(name, tooMuch());
        return [];
      }
    }
  }
  return files;
}

function findFilesOf(
  root: DefinitionRoot,
  budget: number,
  report: (file: string, problem: ReadingProblem) => void,
): FoundFile[] {
  if (root.optional && !existsSync(root.directory)) return [];
  try {
    return findFiles(root.directory, budget, (problem, name) => report(`${root.label}/${name}`, problem));
  } catch (error) {
    report(root.label, ReadingProblem.from(error));
    return [];
  }
}

function strayFile(file: string): Problem {
  const message = 'Definitions are not read from this place, so the file is ignored. Move or rename it.';
  return { level: 'warning', file, line: 1, column: 1, rule: 'stray-file', message };
}

function missingDirectory(): ReadingProblem {
  return new ReadingProblem(
    'missing-directory',
    'This directory does not exist. Create it, or configure another one.',
  );
}

function tooMuch(): ReadingProblem {
  const message = `The files hold more than ${readingLimits.maxTotalBytes} bytes in total. Reading stopped here. Remove files, or configure fewer directories.`;
  return new ReadingProblem('too-large-together', message);
}
