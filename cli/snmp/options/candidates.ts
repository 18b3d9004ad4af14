import { env } from 'node:process';
import { type Credentials, parseCredentials } from './credentials.ts';
import type { RequestOptions } from './request-options.ts';

/** Credentials to try on every address. */
export interface Candidate {
  /** As typed: `${env:NAME}` is not replaced yet. */
  readonly typed: RequestOptions;
  readonly credentials: Credentials;
}

/** The options that belong to one community or one user, in the order of the command line. */
export type TypedLetters = readonly (readonly [letter: CandidateLetter, value: string])[];

export const candidateLetters = ['c', 'u', 'l', 'a', 'A', 'x', 'X'] as const;
export type CandidateLetter = (typeof candidateLetters)[number];

/**
 * Splits the command line into credentials: each -c is one, and each -u begins another one, to which the letters after it belong.
 * Letters before the first -u belong to the first user. -v leaves out what is of another version; -n is the context of all users.
 */
export function splitCandidates(letters: TypedLetters, { v, n }: RequestOptions): RequestOptions[] {
  const candidates: Record<string, string>[] = [];
  let user: Record<string, string> = {};
  for (const [letter, value] of letters) {
    if (letter === 'c') candidates.push({ c: value });
    else {
      if (letter === 'u' && user['u'] !== undefined) user = {};
      user[letter] = value;
      if (letter === 'u') candidates.push(user);
    }
  }
  const hasUserOptions = n !== undefined || Object.keys(user).length > 0;
  if (hasUserOptions && user['u'] === undefined) candidates.push(user);
  const wanted = candidates.filter(({ c }) => v === undefined || (c === undefined) === (v === '3'));
  const shared = v === undefined ? {} : { v };
  if (wanted.length === 0) return [{ ...shared, ...(n === undefined ? {} : { n }) }];
  return wanted.map((typed) => ({
    ...typed,
    ...shared,
    ...(typed['c'] === undefined && n !== undefined ? { n } : {}),
  }));
}

/** Credentials as typed, with the secrets that they refer to. */
export function readCandidate(typed: RequestOptions): Candidate {
  return { typed, credentials: parseCredentials(typed, env) };
}

/** Names it in a report, without its secrets. */
export function describeCandidate({ credentials }: Candidate, position: number): string {
  return credentials.version === '3' ? `user ${credentials.user.name}` : `community ${position + 1}`;
}
