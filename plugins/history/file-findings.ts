import type { Logger } from '../../src/index.ts';
import { NewerFileFault } from './chunk/file-version.ts';

/** Files of which values are missing. Each is named once. */
export class FileFindings {
  readonly #log: Logger;
  readonly #damaged = new Set<string>();
  readonly #newer = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Files that are damaged or cannot be read. */
  get damaged(): ReadonlySet<string> {
    return this.#damaged;
  }

  /** Files that a newer version wrote. */
  get newer(): ReadonlySet<string> {
    return this.#newer;
  }

  /** `error` says why. */
  report(path: string, error?: unknown): void {
    const isNewer = error instanceof NewerFileFault;
    const known = isNewer ? this.#newer : this.#damaged;
    if (known.has(path)) return;
    known.add(path);
    this.#log.warn(
      { path, ...(error === undefined ? {} : { error }) },
      isNewer
        ? 'A newer version wrote a file of the history. Its values are left out.'
        : 'A file of the history is damaged. Values that were in the damaged part are lost.',
    );
  }
}
