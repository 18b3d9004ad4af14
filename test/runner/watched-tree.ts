import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';

type Marks = ReadonlyMap<string, string>;

/** The files of a checkout, to find those that a test wrote, removed or left there. Tests write only into folders that they made. */
export class WatchedTree {
  readonly #root: string;
  readonly #before: Marks;

  constructor(root: string) {
    this.#root = root;
    this.#before = this.#read();
  }

  /** The paths that differ from those at the start, sorted. */
  findChanges(): string[] {
    const now = this.#read();
    const paths = new Set([...this.#before.keys(), ...now.keys()]);
    return [...paths].filter((path) => this.#before.get(path) !== now.get(path)).sort();
  }

  /** Tracked files and new ones, without ignored ones. None where there is no repository. */
  #read(): Marks {
    let list: string;
    try {
      const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
      list = execFileSync('git', words, {
        cwd: this.#root,
        encoding: 'utf8',
        stdio: 'pipe',
        maxBuffer: 2 ** 26,
      });
    } catch {
      return new Map();
    }
    return new Map(
      list.split('\0').flatMap((path) => {
        const file = path === '' ? undefined : lstatSync(join(this.#root, path), { throwIfNoEntry: false });
        return file === undefined ? [] : [[path, `${file.mtimeMs} ${file.size}`] as const];
      }),
    );
  }
}
