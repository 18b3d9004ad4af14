const maxLength = 63;

/**
 * Turns untrusted text into a name: letters, digits, dots and hyphens, a letter or digit at both ends, at most 63 characters.
 * Never `__proto__`; empty when nothing remains.
 */
export function toSafeName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, maxLength)
    .replace(/[.-]+$/, '');
}
