import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { defineErrors, type WaywiserError } from '../kernel/errors.ts';
import { systemReasonOf } from '../kernel/system-reason.ts';
import { isMissing } from './disk-failure.ts';
import { storageErrors } from './errors.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { findProcessState, identifyThisProcess, type ProcessIdentity } from './process-identity.ts';

const failure = defineErrors(storageErrors);

export interface LockSettings {
  /** Called once when another process has taken over the directory. */
  readonly onLost: (error: WaywiserError) => void;
  /** Called when the holder may run where it cannot be seen, so that its lock has to be watched. */
  readonly onWatch: (holder: string, watchMs: number) => void;
  /** Ends a watch: `lockDirectory` then rejects with its reason. */
  readonly signal: AbortSignal;
  readonly files?: FileSystem;
  readonly own?: ProcessIdentity;
  /** How often the holder writes a sign of life. */
  readonly beatEveryMs?: number;
  /** A holder that cannot be seen has ended when it gives no sign of life for this time. */
  readonly watchMs?: number;
}

/** A sign of life is looked for this often. */
const lookEveryMs = 100;
/** Large enough for any holder: the file keeps its size, so that later writes need no space on a full disk. */
const lockBytes = 1_024;

/**
 * Makes this process the only one that uses `directory`, until `release` or the end of the process. Throws DIRECTORY_IN_USE, which names
 * the holder, while another process that is alive holds the directory.
 *
 * Every holder creates a file of its own in the folder `lock`, whose name is the number after the highest one there. The highest file is
 * never removed, and creating a file that exists fails. So of several processes that replace the same dead holder one wins, and a process
 * that was late finds a higher number after it has created its own.
 */
export async function lockDirectory(directory: string, settings: LockSettings): Promise<DirectoryLock> {
  const { files = nodeFileSystem, own = identifyThisProcess() } = settings;
  const folder = new LockFolder(join(directory, 'lock'), files);
  try {
    for (;;) {
      const last = folder.findLast();
      if (last !== undefined) await waitUntilFree(directory, folder, last, own, settings);
      const lock = DirectoryLock.create(directory, folder, (last ?? 0) + 1, own, settings);
      if (lock !== undefined) return lock;
    }
  } catch (error) {
    const isOfSystem = error instanceof Error && 'syscall' in error;
    if (!isOfSystem) throw error;
    throw failure('DIRECTORY_NOT_LOCKED', { directory, reason: systemReasonOf(error) }, error);
  }
}

/** Throws DIRECTORY_IN_USE when another process that can be seen holds the directory. Changes nothing. */
export function checkUnlocked(directory: string): void {
  const folder = new LockFolder(join(directory, 'lock'), nodeFileSystem);
  const last = folder.findLast();
  const content = last === undefined ? undefined : folder.read(last);
  if (content?.holder === undefined || content.isReleased) return;
  if (findProcessState(content.holder, identifyThisProcess()) !== 'running') return;
  throw failure('DIRECTORY_IN_USE', { directory, holder: describeHolder(content.holder) });
}

export class DirectoryLock {
  readonly #directory: string;
  readonly #folder: LockFolder;
  readonly #number: number;
  readonly #own: ProcessIdentity;
  readonly #onLost: LockSettings['onLost'];
  readonly #timer: NodeJS.Timeout;
  #descriptor: number;
  #beats = 0;
  #hasEnded = false;

  private constructor(
    directory: string,
    folder: LockFolder,
    number: number,
    own: ProcessIdentity,
    { onLost, beatEveryMs = 5_000 }: LockSettings,
  ) {
    this.#directory = directory;
    this.#folder = folder;
    this.#number = number;
    this.#own = own;
    this.#onLost = onLost;
    this.#descriptor = folder.create(number);
    this.#timer = setInterval(() => this.#beat(), beatEveryMs).unref();
    this.#writeHolder();
  }

  /** Undefined if another process was faster. */
  static create(
    directory: string,
    folder: LockFolder,
    number: number,
    own: ProcessIdentity,
    settings: LockSettings,
  ): DirectoryLock | undefined {
    let lock: DirectoryLock;
    try {
      lock = new DirectoryLock(directory, folder, number, own, settings);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
      throw error;
    }
    if (folder.findLast() === number) {
      folder.removeBelow(number);
      return lock;
    }
    lock.#end();
    folder.remove(number);
    return undefined;
  }

  /** Lets the next process have the directory. A second call does nothing. */
  release(): void {
    if (this.#hasEnded) return;
    try {
      if (this.#folder.findLast() === this.#number) this.#write({ isReleased: true });
    } catch {
      // The next process finds out that this one has ended.
    }
    this.#end();
  }

  #beat(): void {
    try {
      const last = this.#folder.findLast();
      if (last === undefined) this.#recreate();
      if (last === undefined || last === this.#number) this.#writeHolder();
      else this.#lose(last);
    } catch {
      // The disk may work again at the next beat.
    }
  }

  /** The directory was removed or emptied. */
  #recreate(): void {
    const descriptor = this.#folder.create(this.#number);
    this.#folder.close(this.#descriptor);
    this.#descriptor = descriptor;
  }

  #lose(last: number): void {
    const holder = describeHolder(this.#folder.read(last)?.holder);
    this.#end();
    this.#onLost(failure('DIRECTORY_TAKEN_OVER', { directory: this.#directory, holder }));
  }

  #end(): void {
    this.#hasEnded = true;
    clearInterval(this.#timer);
    this.#folder.close(this.#descriptor);
  }

  #writeHolder(): void {
    try {
      this.#write({ holder: this.#own, beats: this.#beats++ });
    } catch {
      // On a full disk the file stays empty, and another process takes over after a watch.
    }
  }

  #write(content: LockContent): void {
    this.#folder.write(this.#descriptor, content);
  }
}

interface LockContent {
  readonly holder?: ProcessIdentity;
  readonly beats?: number;
  readonly isReleased?: true;
}

/** The lock files of one directory, by number. */
class LockFolder {
  readonly path: string;
  readonly #files: FileSystem;

  constructor(path: string, files: FileSystem) {
    this.path = path;
    this.#files = files;
  }

  findLast(): number | undefined {
    const numbers = this.#list();
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  }

  create(number: number): number {
    this.#files.makeDirectory(this.path);
    return this.#files.open(this.#pathOf(number), 'new');
  }

  write(descriptor: number, content: LockContent): void {
    this.#files.write(descriptor, [Buffer.from(JSON.stringify(content).padEnd(lockBytes))], 0);
  }

  close(descriptor: number): void {
    this.#files.close(descriptor);
  }

  remove(number: number): void {
    this.#files.remove(this.#pathOf(number));
  }

  removeBelow(limit: number): void {
    for (const number of this.#list()) if (number < limit) this.remove(number);
  }

  /** Undefined if the file no longer exists. Without a holder if it is not written yet. */
  read(number: number): (LockContent & { readonly text: string }) | undefined {
    let text = '';
    try {
      text = this.#files.readFile(this.#pathOf(number)).toString();
      return { ...(JSON.parse(text) as LockContent), text };
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (error instanceof SyntaxError) return { text };
      throw error;
    }
  }

  #list(): number[] {
    try {
      return this.#files
        .list(this.path)
        .filter((name) => /^\d{6,}$/.test(name))
        .map(Number);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  #pathOf(number: number): string {
    return join(this.path, String(number).padStart(6, '0'));
  }
}

/** Resolves when the holder of lock `number` has released it or has ended. Throws while it is alive. */
async function waitUntilFree(
  directory: string,
  folder: LockFolder,
  number: number,
  own: ProcessIdentity,
  { signal, onWatch, watchMs = 20_000 }: LockSettings,
): Promise<void> {
  const first = folder.read(number);
  for (let waitedMs = 0; ; waitedMs += lookEveryMs) {
    const content = folder.read(number);
    if (content === undefined || content.isReleased) return;
    const { holder, text } = content;
    const state = holder === undefined ? 'unknown' : findProcessState(holder, own);
    if (state === 'ended') return;
    const isAlive = state === 'running' || (holder !== undefined && first?.holder && text !== first.text);
    if (isAlive) throw failure('DIRECTORY_IN_USE', { directory, holder: describeHolder(holder) });
    if (waitedMs >= watchMs) return;
    if (waitedMs === lookEveryMs) onWatch(describeHolder(holder), watchMs);
    await pause(lookEveryMs, undefined, { signal });
  }
}

function describeHolder(holder: ProcessIdentity | undefined): string {
  if (holder === undefined) return 'an unknown process';
  return `process ${holder.pid} on ${holder.host}, started at ${holder.startedAt}`;
}
