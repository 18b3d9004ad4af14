import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JetStreamClient } from '@nats-io/jetstream';
import {
  type AddressTemplate,
  type Batch,
  connectionFailure,
  PermanentError,
  runInWindow,
} from '../../../src/index.ts';
import type { CutMessages, Message } from '../ndjson/service.ts';
import type { OpenNats } from './nats-driver.ts';

/** What the header with the message id takes of the server's limit. */
export const headerBytes = 128;
/** Publications that wait for the stream's answer at one time. */
const window = 512;
/** JetStream's code for a message larger than the stream takes. */
const tooLargeForStream = 10054;

/** Batches that will never pass, each with why. */
type Refusals = Map<Batch, Error>;

/**
 * Resolves when the server has all messages, or the stream has stored them. Throws a PermanentError for batches that will never
 * pass when all others have.
 */
export async function publish(
  { messages, tooLarge }: CutMessages,
  subjectOf: AddressTemplate,
  { connection, stream, takeRefusals }: OpenNats,
): Promise<void> {
  const server = connection.getServer();
  const refusals: Refusals = new Map();
  for (const batch of tooLarge) refusals.set(batch, new Error('A document is larger than the server takes.'));
  if (stream !== undefined) await publishToStream(messages, subjectOf, server, stream, refusals);
  else {
    for (const { batch, rowKey, body } of messages) connection.publish(subjectOf(batch, rowKey), body);
    await connection.flush();
    // Refusals come before the answer to the flush, through an iterator that hands them out a moment later.
    await nextTurn();
  }
  const forbidden = takeRefusals();
  for (const { batch, rowKey } of forbidden.size === 0 ? [] : messages) {
    const place = subjectOf(batch, rowKey);
    if (forbidden.has(place)) refusals.set(batch, connectionFailure('SERVER_FORBIDS', { server, place }));
  }
  if (refusals.size === 0) return;
  const [cause] = refusals.values();
  throw new PermanentError('NATS refused messages.', { refused: [...refusals.keys()], cause });
}

async function publishToStream(
  messages: readonly Message[],
  subjectOf: AddressTemplate,
  server: string,
  stream: JetStreamClient,
  refusals: Refusals,
): Promise<void> {
  await runInWindow(messages, window, async (message) => {
    const place = subjectOf(message.batch, message.rowKey);
    try {
      await stream.publish(place, message.body, { msgID: messageId(message) });
    } catch (error) {
      const causes = listErrors(error);
      const isNamed = (name: string) => causes.some((cause) => cause.name === name);
      if (causes.some((cause) => 'code' in cause && cause.code === tooLargeForStream)) {
        refusals.set(message.batch, new Error('A document is larger than the stream takes.'));
      } else if (isNamed('PermissionViolationError')) {
        refusals.set(message.batch, connectionFailure('SERVER_FORBIDS', { server, place }));
      } else if (isNamed('JetStreamNotEnabled')) {
        throw connectionFailure('SERVER_LACKS_PLACE', { server, place: `stream for ${place}` }, error);
      } else throw error;
    }
  });
}

/** The same for the same row at the same time, so that a stream drops what comes twice. */
function messageId({ batch, row, rowKey }: Message): string {
  const { device, record, plan, slotMs, sequence } = batch;
  const identity = [device.ip, device.port, device.name, record, plan, slotMs, sequence, row, rowKey];
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, 32);
}

function listErrors(error: unknown): Error[] {
  return error instanceof Error ? [error, ...listErrors(error.cause)] : [];
}
