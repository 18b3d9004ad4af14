import type { Secret } from '../../src/index.ts';
import type { TrapOptions } from './options.ts';

/** How long a changed file may stay unnoticed. */
const checkMs = 1_000;

/**
 * Calls `onChange` when a configured secret has another value: the thread that receives, and the sockets that forward, have values and not
 * secrets. Returns what ends it.
 */
export function watchSecrets(
  { senders, users, forward }: Pick<TrapOptions, 'senders' | 'users' | 'forward'>,
  onChange: () => void,
): () => void {
  const secrets = [
    ...senders.flatMap(({ communities }) => communities),
    ...users.flatMap((user) => [user.authentication_passphrase, user.privacy_passphrase]),
    ...forward.map(({ community }) => community),
  ].filter((secret): secret is Secret => secret?.file !== undefined);
  if (secrets.length === 0) return () => {};
  const read = () => JSON.stringify(secrets.map((secret) => secret.reveal()));
  let known = read();
  const timer = setInterval(() => {
    const now = read();
    if (now === known) return;
    known = now;
    onChange();
  }, checkMs);
  return () => clearInterval(timer);
}
