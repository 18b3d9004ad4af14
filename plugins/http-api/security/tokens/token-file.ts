import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Type, TypeCompiler } from '../../../../src/index.ts';
import { httpStartFailure } from '../start-failure.ts';
import { type StoredToken, tokenSchema } from './stored-token.ts';

export function tokenFileOf(stateDirectory: string): string {
  return join(stateDirectory, 'http-api', 'tokens.json');
}

/** The tokens of the file; none when there is no file. Throws when it holds something else. */
export function readTokens(path: string): readonly StoredToken[] {
  const text = readIfThere(path);
  if (text === undefined) return [];
  const tokens = parse(text);
  if (!TypeCompiler.Compile(Type.Array(tokenSchema)).Check(tokens)) {
    throw httpStartFailure('HTTP_TOKENS_UNREADABLE', { path });
  }
  return tokens;
}

/** Replaces the file in one step, readable by its owner alone. */
export function writeTokens(path: string, tokens: readonly StoredToken[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const next = `${path}.next`;
  writeFileSync(next, `${JSON.stringify(tokens, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(next, path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw httpStartFailure('HTTP_TOKENS_UNREADABLE', { path }, error);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
