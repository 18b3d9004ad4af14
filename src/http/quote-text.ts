/** Foreign text as a message may show it: shortened, in quotes, with control characters escaped. */
export function quoteText(text: unknown, maxLength = 100): string {
  const plain = typeof text === 'string' ? text : (JSON.stringify(text) ?? 'nothing');
  return JSON.stringify(plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain);
}
