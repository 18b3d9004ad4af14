import type { Logger } from '../../../src/index.ts';
import { isLoopback } from '../../../src/internal.ts';
import type { HttpOptions } from '../options.ts';
import { httpStartFailure } from './start-failure.ts';

/** Throws when others could reach the API and nobody has to prove anything. */
export function checkExposure({ host, insecure }: HttpOptions, isProtected: boolean, log: Logger): void {
  if (isProtected || isLoopback(host)) return;
  if (!insecure) throw httpStartFailure('HTTP_UNPROTECTED', { host });
  log.warn(
    { host },
    'INSECURE: everyone who reaches this address may change what the collector does. Give http-api a token and remove `insecure`.',
  );
}
