import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Batch, PermanentError } from '../../../src/index.ts';
import { type AddressTemplate, type CutMessages, connectionFailure } from '../../../src/output-kit/index.ts';
import type { OpenNats } from './nats-driver.ts';
import { StreamPublication } from './stream-publication.ts';

/** Space for the header with the message id within the limit of the server. */
export const headerBytes = 128;

/** Batches that are refused for good, with the reason. */
type Refusals = Map<Batch, Error>;

/**
 * Resolves when the server has all messages, or the stream has stored them. When it has all others, throws a PermanentError with the refused
 * batches.
 */
export async function publish(
  { messages, tooLarge }: CutMessages,
  subjectOf: AddressTemplate,
  open: OpenNats,
  { jetstream }: { readonly jetstream: boolean },
): Promise<void> {
  const { connection, forbidden } = open;
  const server = connection.getServer();
  const refusals: Refusals = new Map();
  for (const batch of tooLarge)
    refusals.set(batch, new Error('A document is larger than the server accepts.'));
  const refuse = (batch: Batch, why: Error) => refusals.set(batch, why);
  if (jetstream) await new StreamPublication(messages, subjectOf, open, refuse).run();
  else {
    for (const { batch, rowKey, body } of messages) connection.publish(subjectOf(batch, rowKey), body);
    await connection.flush();
    // Refusals arrive before the reply to the flush, but their iterator returns them one turn later.
    await nextTurn();
  }
  const subjects = forbidden.take();
  for (const { batch, rowKey } of subjects.size === 0 ? [] : messages) {
    const place = subjectOf(batch, rowKey);
    if (subjects.has(place)) refuse(batch, connectionFailure('SERVER_FORBIDS', { server, place }));
  }
  if (refusals.size === 0) return;
  const [cause] = refusals.values();
  throw new PermanentError('NATS refused messages.', { refused: [...refusals.keys()], cause });
}
