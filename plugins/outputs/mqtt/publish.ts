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

/** What earlier attempts with the same group have found out. */
export interface GroupState {
  /** Why batches are refused for good, by `identify`. */
  readonly refusals: Map<string, Error>;
  /**
   * Whether an attempt has failed. Mosquitto closes the connection after a refusal, and the close may arrive before the refusal if more was
   * sent. After a failure, messages are therefore sent one at a time, and refused batches are not sent again.
   */
  hasFailed: boolean;
}

/** Space for the topic and header of a packet. */
export const headerBytes = 4_096;
/** The most unacknowledged messages, if the broker accepts that many. */
const window = 100;
/** Reason codes that a retry would repeat: MQTT 5, section 3.4.2.1. */
const reasons = { notAuthorized: 0x87, topicInvalid: 0x90, tooLarge: 0x95, formatInvalid: 0x99 };
const lasting: readonly unknown[] = Object.values(reasons);

/**
 * Resolves when the broker has acknowledged all messages according to their quality of service. When all others are acknowledged, throws a
 * PermanentError with the refused batches.
 */
export async function publish(
  { messages, tooLarge }: CutMessages,
  topicOf: AddressTemplate,
  { qos, retain }: Pick<MqttOptions, 'qos' | 'retain'>,
  { client, server, limits, lost }: OpenMqtt,
  { refusals, hasFailed }: GroupState,
): Promise<void> {
  const isWanted = ({ batch }: Message) => refusals.size === 0 || !refusals.has(identify(batch));
  const width = hasFailed ? 1 : Math.min(window, limits.inFlight);
  const publications = messages
    .filter(isWanted)
    .map(({ batch, rowKey, body }) => ({ batch, body, topic: topicOf(batch, rowKey) }));
  const sending = publishInWindow(client, publications, { width, qos, retain }, ({ batch, topic }, error) => {
    if (error === undefined) return;
    if (!('code' in error && lasting.includes(error.code))) throw error;
    const isForbidden = error.code === reasons.notAuthorized;
    const why = isForbidden ? connectionFailure('SERVER_FORBIDS', { server, place: topic }, error) : error;
    refusals.set(identify(batch), why);
  });
  await untilAborted(lost, sending);
  for (const batch of tooLarge)
    refusals.set(
      identify(batch),
      new Error('A document is larger than the broker or max_message_bytes allows.'),
    );
  if (refusals.size === 0) return;
  const [cause] = refusals.values();
  const batches = new Set([...messages.map(({ batch }) => batch), ...tooLarge]);
  const refused = [...batches].filter((batch) => refusals.has(identify(batch)));
  throw new PermanentError('The MQTT broker refused messages.', { refused, cause });
}

function identify({ device, record, plan, slotMs, sequence }: Batch): string {
  return JSON.stringify([device.ip, device.port, record, plan, slotMs, sequence]);
}
