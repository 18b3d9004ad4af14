import type { SecretSources } from '../../kernel/secrets.ts';
import type { Problem } from '../../model/definition-changes.ts';
import { NameSuggester } from '../../nearest-name.ts';
import { CompileCache } from '../compiler/compile-cache.ts';
import { compileDefinitions } from '../compiler/compile-definitions.ts';
import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import type { ReadFiles } from './checked-file.ts';
import { checkDevices } from './devices/device-checks.ts';
import { DeviceFiller, type FilledDevice } from './devices/device-filler.ts';
import { checkAutodiscovery } from './devices/network-checks.ts';
import { checkSecrets } from './devices/secret-checks.ts';
import { type MergedDefinitions, mergeFiles } from './merge-files.ts';
import { type PlaceCache, ProblemLocator } from './problem-locator.ts';
import { readingLimits } from './reading-limits.ts';
import type { ReportSetProblem, SetProblem } from './set-problem.ts';

/** A complete set of definitions that was read and checked. It may replace the running one when it has no error. */
export interface CheckedSet extends MergedDefinitions {
  /** Its devices have every default filled in. */
  readonly compiled: CompiledDefinitions;
  readonly devices: ReadonlyMap<string, FilledDevice>;
  /** The problems found while reading; a file that cannot be read leaves no other trace. */
  readonly readProblems: readonly Problem[];
  /** The problems that also depend on the environment. */
  readonly secretProblems: readonly SetProblem[];
  readonly fingerprint: string;
  readonly files: ReadFiles['files'];
}

/** What one check keeps for the next, so that unchanged definitions are not compiled again. */
export interface CheckMemory {
  readonly compiled: CompileCache;
  readonly filler: DeviceFiller;
  readonly places: PlaceCache;
}

export function createCheckMemory(): CheckMemory {
  return { compiled: new CompileCache(), filler: new DeviceFiller(), places: new WeakMap() };
}

/** Joins the files and checks the set as a whole. Every problem is in `problems`, errors first. */
export function checkSet(
  read: ReadFiles,
  secrets: SecretSources,
  memory: CheckMemory = createCheckMemory(),
): CheckedSet {
  const merged = mergeFiles(read.files);
  const found: SetProblem[] = [];
  const report: ReportSetProblem = (level, path, rule, message) => {
    found.push({ level, path, rule, message });
  };
  const { definitions, problems: compileProblems } = compileDefinitions(
    merged.raw,
    memory.compiled,
    read.compiledBefore,
  );
  for (const problem of compileProblems) found.push(problem);
  const devices = memory.filler.fill(merged.raw);
  const suggester = new NameSuggester();
  checkDevices(merged.raw, devices, suggester, report);
  checkAutodiscovery(merged.raw, suggester, report);
  const secretProblems = findSecretProblems(merged.raw, secrets);
  for (const problem of secretProblems) found.push(problem);

  const locator = new ProblemLocator(merged.origins, memory.places, read.places);
  const located = errorsFirst(found)
    .slice(0, readingLimits.maxProblems)
    .map((problem) => locator.locate(problem));
  const all = [...read.problems, ...merged.problems, ...located].sort(inOrder);
  const problems = errorsFirst(all).slice(0, readingLimits.maxProblems);
  const settings = new Map([...devices].map(([name, device]) => [name, device.settings]));
  const compiled = { ...definitions, devices: settings };
  const { files, fingerprint, problems: readProblems } = read;
  return { ...merged, compiled, devices, problems, readProblems, secretProblems, files, fingerprint };
}

export function findSecretProblems(raw: MergedDefinitions['raw'], secrets: SecretSources): SetProblem[] {
  const found: SetProblem[] = [];
  checkSecrets(raw, secrets, (level, path, rule, message) => {
    found.push({ level, path, rule, message });
  });
  return found;
}

/** So that beyond the limit warnings are cut off before errors. */
function errorsFirst<Found extends Pick<Problem, 'level'>>(problems: readonly Found[]): Found[] {
  return [
    ...problems.filter(({ level }) => level === 'error'),
    ...problems.filter(({ level }) => level === 'warning'),
  ];
}

function inOrder(a: Problem, b: Problem): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column;
}
