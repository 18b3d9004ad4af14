import { isSecretReference } from '../../kernel/secrets.ts';

/** Turns what was typed into references: `${env:NAME}` stays one, anything else becomes a file of the secrets directory. */
export class SecretFiles {
  readonly #files = new Map<string, string>();

  /** The reference to write into a definition. */
  refer(name: string, secret: string): string {
    if (isSecretReference(secret)) return secret;
    this.#files.set(name, secret);
    return `\${file:${name}}`;
  }

  /** By name: the secrets that are to be kept. */
  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }
}
