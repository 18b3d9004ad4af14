import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { kernelFailure } from './errors.ts';
import { systemReasonOf } from './system-reason.ts';

/** A value that prints as `***` in texts, JSON and logs. Only `reveal` returns it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value. Call it only where the value is sent. */
  reveal(): string {
    return this.#value;
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
  return new Secret(value);
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
