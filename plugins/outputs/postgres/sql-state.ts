/** The SQLSTATE of an error of the server. Empty for any other error. */
export function sqlState(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return '';
  return String(error.code);
}

/** Whether a retry would repeat the error: it is about values, constraints or limits (classes 22, 23 and 54). */
export function isPermanent(error: unknown): boolean {
  return /^(22|23|54)/.test(sqlState(error));
}
