import { createHash } from 'node:crypto';

/** 132 bits of SHA-256 as text: equal for equal text only. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
