import { env, stdout } from 'node:process';
import picocolors from 'picocolors';

const isForced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '' && env['FORCE_COLOR'] !== '0';
const isTerminal = stdout.isTTY && env['TERM'] !== 'dumb';

/** Colours on a terminal only: by its own rules the library also colours what goes to a pipe, in CI and on Windows. */
export const colours = picocolors.createColors((isTerminal || isForced) && !env['NO_COLOR']);
