import { createHash } from 'node:crypto';

/** 132 bits of SHA-256 as text: equal for equal text only. */
export function hashText(text: string): string {
  if (text === '') return hashOfNothing;
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Asked for thousands of times by a file whose every reference is wrong. */
const hashOfNothing = '47DEQpj8HBSa-_TImW-5JC';
