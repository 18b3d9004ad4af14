/** What the program needs of this plugin. Its routes load much that few commands need. */

export const loadSnmpApi = async () => (await import('./index.ts')).default;
