const maxLength = 63;

/**
 * What remains of a text that a stranger chose when it is to name something: letters, digits, dots and hyphens, a letter or
 * digit at both ends, 63 characters at most. Never `__proto__`; empty when nothing remains.
 */
export function toSafeName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, maxLength)
    .replace(/[.-]+$/, '');
}
