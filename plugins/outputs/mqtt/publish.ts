import { type Batch, PermanentError } from '../../../src/index.ts';
import {
  type AddressTemplate,
  type CutMessages,
  connectionFailure,
  type Message,
  untilAborted,
} from '../../../src/output-kit/index.ts';
import type { OpenMqtt } from './mqtt-driver.ts';
import type { MqttOptions } from './options.ts';
import { publishInWindow } from './publish-window.ts';

/** What earlier attempts with the same group have told. */
export interface GroupStory {
  /** Why batches will never pass, by `identify`. */
  readonly refusals: Map<string, Error>;
  /**
   * An attempt has failed. Mosquitto closes the connection behind a refusal, and the close can overtake the refusal when more was
   * sent; so messages go one by one then, and what was refused is not sent again.
   */
  hasFailed: boolean;
}

/** What topic and header of a packet may take. */
export const headerBytes = 4_096;
/** Publications that wait for an acknowledgement at one time, where the broker takes so many. */
const window = 100;
/** Answers that will be the same the next time: MQTT 5, section 3.4.2.1. */
const reasons = { notAuthorized: 0x87, topicInvalid: 0x90, tooLarge: 0x95, formatInvalid: 0x99 };
const lasting: readonly unknown[] = Object.values(reasons);

/**
 * Resolves when the broker has acknowledged all messages as their quality of service says. Throws a PermanentError for
 * batches that will never pass when all others have.
 */
export async function publish(
  { messages, tooLarge }: CutMessages,
  topicOf: AddressTemplate,
  { qos, retain }: Pick<MqttOptions, 'qos' | 'retain'>,
  { client, server, limits, lost }: OpenMqtt,
  { refusals, hasFailed }: GroupStory,
): Promise<void> {
  const isTakable = ({ batch }: Message) => refusals.size === 0 || !refusals.has(identify(batch));
  const width = hasFailed ? 1 : Math.min(window, limits.inFlight);
  const publications = messages
    .filter(isTakable)
    .map(({ batch, rowKey, body }) => ({ batch, body, topic: topicOf(batch, rowKey) }));
  const sending = publishInWindow(client, publications, { width, qos, retain }, ({ batch, topic }, error) => {
    if (error === undefined) return;
    if (!('code' in error && lasting.includes(error.code))) throw error;
    const isForbidden = error.code === reasons.notAuthorized;
    const why = isForbidden ? connectionFailure('SERVER_FORBIDS', { server, place: topic }, error) : error;
    refusals.set(identify(batch), why);
  });
  await untilAborted(lost, sending);
  for (const batch of tooLarge) refusals.set(identify(batch), new Error('A document is too large.'));
  if (refusals.size === 0) return;
  const [cause] = refusals.values();
  const batches = new Set([...messages.map(({ batch }) => batch), ...tooLarge]);
  const refused = [...batches].filter((batch) => refusals.has(identify(batch)));
  throw new PermanentError('The MQTT broker refused messages.', { refused, cause });
}

function identify({ device, record, plan, slotMs, sequence }: Batch): string {
  return JSON.stringify([device.ip, device.port, record, plan, slotMs, sequence]);
}
