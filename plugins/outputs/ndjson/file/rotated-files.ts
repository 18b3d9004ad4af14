import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface RotationSettings {
  /** Compress rotated files. */
  readonly gzip: boolean;
  /** How many rotated files are kept. 0 keeps all. */
  readonly keep: number;
}

/** The earlier files of `path`: `records-2026-01-31T23-59-59.000Z.ndjson`, with `.gz` when compressed. */
export class RotatedFiles {
  readonly #path: string;
  readonly #settings: RotationSettings;

  constructor(path: string, settings: RotationSettings) {
    this.#path = path;
    this.#settings = settings;
  }

  /** Renames the file at `path` after the current time. */
  async moveAway(nowMs: number): Promise<void> {
    const taken = new Set((await this.#list()).map(plainName));
    let atMs = nowMs;
    while (taken.has(basename(this.#nameAt(atMs)))) atMs++;
    await rename(this.#path, this.#nameAt(atMs));
  }

  /** Removes old files, then compresses the others. Also completes what a crash interrupted. */
  async tidy(signal: AbortSignal): Promise<void> {
    const { gzip, keep } = this.#settings;
    const folder = dirname(this.#path);
    const names = await this.#list();
    const kept = new Set([...new Set(names.map(plainName))].slice(-keep));
    const isOfUse = (name: string) =>
      kept.has(plainName(name)) && !name.endsWith('.part') && !names.includes(`${name}.gz`);
    for (const name of names) if (!isOfUse(name)) await rm(join(folder, name), { force: true });
    if (!gzip) return;
    for (const name of names.filter(isOfUse)) {
      if (!name.endsWith('.gz')) await compress(join(folder, name), signal);
    }
  }

  /** Oldest first. */
  async #list(): Promise<string[]> {
    const [stem, ending] = this.#parts();
    return (await readdir(dirname(this.#path)))
      .filter((name) => {
        const plain = plainName(name);
        const isOurs = plain.startsWith(`${stem}-`) && plain.endsWith(ending);
        return isOurs && timestamp.test(plain.slice(stem.length + 1, plain.length - ending.length));
      })
      .sort();
  }

  #nameAt(ms: number): string {
    const [stem, ending] = this.#parts();
    const moment = new Date(ms).toISOString().replaceAll(':', '-');
    return join(dirname(this.#path), `${stem}-${moment}${ending}`);
  }

  #parts(): readonly [stem: string, ending: string] {
    const ending = extname(this.#path);
    return [basename(this.#path, ending), ending];
  }
}

/** The name before compression. */
const plainName = (name: string) => name.replace(/\.gz(\.part)?$/, '');

const timestamp = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** The compressed file gets its name when it is complete. Then the plain file is removed. */
async function compress(path: string, signal: AbortSignal): Promise<void> {
  const unfinished = `${path}.gz.part`;
  try {
    const target = createWriteStream(unfinished, { mode: 0o640, flush: true });
    await pipeline(createReadStream(path), createGzip(), target, { signal });
    await rename(unfinished, `${path}.gz`);
    await rm(path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
