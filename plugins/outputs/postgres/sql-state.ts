/** The five letters by which PostgreSQL says what is wrong; empty when the error is not the server's. */
export function sqlState(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return '';
  return String(error.code);
}

/** Values, constraints and limits stay the same at the next attempt: classes 22, 23 and 54. */
export function isLasting(error: unknown): boolean {
  return /^(22|23|54)/.test(sqlState(error));
}
