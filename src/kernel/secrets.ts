import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { recognizeInEveryCopy } from '../shared-class.ts';
import { kernelFailure } from './errors.ts';
import { systemReasonOf } from './system-reason.ts';

/** A changed file is used within this time. */
const rereadMs = 1_000;

/** A value that prints as `***` in texts, JSON and logs. Only `reveal` returns it. */
export class Secret {
  static {
    recognizeInEveryCopy(Secret, 'Secret');
  }

  #value: string;
  /** Where the value was read: when this file changes, the value does. */
  readonly file: string | undefined;
  #readMs = performance.now();
  readonly #make: ((value: string) => string) | undefined;

  constructor(value: string, file?: string, make?: (value: string) => string) {
    this.#value = value;
    this.file = file;
    this.#make = make;
  }

  /** The value now: one of a file may be another one later. Call it only where the value is sent, each time. */
  reveal(): string {
    this.#renew();
    return this.#make === undefined ? this.#value : this.#make(this.#value);
  }

  /** A text that is made of the secret, such as a header, and changes with it. */
  derive(make: (value: string) => string): Secret {
    const before = this.#make;
    return new Secret(this.#value, this.file, before === undefined ? make : (value) => make(before(value)));
  }

  /** While a file is being replaced, and when it is gone, the value stays. */
  #renew(): void {
    const nowMs = performance.now();
    if (this.file === undefined || nowMs - this.#readMs < rereadMs) return;
    this.#readMs = nowMs;
    try {
      this.#value = readSecretFile(this.file, (reason) => new Error(reason)) || this.#value;
    } catch {
      // It stays.
    }
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return '***';
  }
}

/** Where references are looked up. */
export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where `${file:name}` looks; undefined when no secrets directory is configured. */
  readonly directory: string | undefined;
}

const reference = /^\$\{(env|file):([A-Za-z0-9_][A-Za-z0-9_.-]*)\}$/;

/** Whether `text` is a reference such as `${env:NAME}` or `${file:name}`. */
export function isSecretReference(text: string): boolean {
  return reference.test(text);
}

/** The secret that a reference names. Throws SECRET_UNRESOLVED, whose text never carries the value. */
export function resolveSecret(text: string, { env, directory }: SecretSources): Secret {
  const [, source, name] = reference.exec(text) ?? [];
  const refuse = (reason: string) =>
    kernelFailure('SECRET_UNRESOLVED', { reference: name === undefined ? 'given' : text, reason });
  if (source === undefined || name === undefined) {
    throw refuse('write it as ${env:NAME} or ${file:name}');
  }
  if (source === 'env') {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined || value === '') throw refuse(`the environment variable ${name} is not set`);
    return new Secret(value);
  }
  if (directory === undefined) throw refuse('no secrets_directory is configured');
  const value = readSecretFile(join(directory, name), refuse);
  if (value === '') throw refuse(`${join(directory, name)} is empty`);
  return new Secret(value, join(directory, name));
}

const maxSecretBytes = 65_536;

function readSecretFile(path: string, refuse: (reason: string) => Error): string {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw refuse(`${path} is not a file`);
    if (stats.size > maxSecretBytes) throw refuse(`${path} is larger than ${maxSecretBytes} bytes`);
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SECRET_UNRESOLVED') throw error;
    throw refuse(`${path} cannot be read: ${systemReasonOf(error)}`);
  }
}
