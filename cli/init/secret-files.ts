import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretReference } from '../../src/kernel/index.ts';

/** Turns secrets into references: `${env:NAME}` stays as it is, any other text becomes a file such as community-2. */
export class SecretFiles {
  readonly #existing: ReadonlyMap<string, string | undefined>;
  readonly #files = new Map<string, string>();

  /** `existing` are the files that are there already, each with its secret, or undefined when it cannot be read. */
  constructor(existing: ReadonlyMap<string, string | undefined> = new Map()) {
    this.#existing = existing;
  }

  /** The reference to write into a definition. A secret that a file of this name has already is not written again. */
  referenceTo(name: string, secret: string): string {
    if (isSecretReference(secret)) return secret;
    const alike = [...this.#existing, ...this.#files].filter(([file]) => file.replace(/-\d+$/, '') === name);
    const [known] = alike.find(([, text]) => text === secret) ?? [];
    if (known !== undefined) return `\${file:${known}}`;
    const last = Math.max(0, ...alike.map(([file]) => Number(/-(\d+)$/.exec(file)?.[1] ?? 1)));
    const file = last === 0 ? name : `${name}-${last + 1}`;
    this.#files.set(file, secret);
    return `\${file:${file}}`;
  }

  /** The secrets to write, by the name of their file. */
  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }
}

/** The files in the directory of secrets, each with what it holds; undefined when that cannot be read. */
export function readSecretFiles(directory: string | undefined): ReadonlyMap<string, string | undefined> {
  if (directory === undefined || !existsSync(directory)) return new Map();
  return new Map(readdirSync(directory).map((name) => [name, readSecret(join(directory, name))]));
}

function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
