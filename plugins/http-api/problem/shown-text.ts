/** Text of a stranger as a message may show it: short, quoted, control characters escaped. */
export function shownText(text: unknown, maxLength = 100): string {
  const plain = typeof text === 'string' ? text : (JSON.stringify(text) ?? 'nothing');
  return JSON.stringify(plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain);
}
