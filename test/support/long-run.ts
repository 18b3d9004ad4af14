import { env } from 'node:process';

/** `npm run long` runs the files that import this module: with all recordings and more rounds, and with tests that take minutes. */
export const isLong = env['WAYWISER_LONG'] !== undefined;

/** Skips a test that takes too long for every run. */
export const onlyLong = !isLong && 'npm run long runs it';
