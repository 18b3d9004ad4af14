import type { MqttClient } from 'mqtt';

export interface Publication {
  readonly topic: string;
  readonly body: Buffer;
}

/**
 * Publishes in order, with at most `width` unacknowledged messages. Each acknowledgement sends the next message: a broker with Nagle's
 * algorithm delays further acknowledgements until it receives something. `settle` is called for each message with its error, if any; when it
 * throws, this rejects with that error. Otherwise resolves when all messages are settled.
 */
export function publishInWindow<P extends Publication>(
  client: MqttClient,
  publications: readonly P[],
  options: { readonly width: number; readonly qos: 0 | 1 | 2; readonly retain: boolean },
  settle: (publication: P, error: Error | undefined) => void,
): Promise<void> {
  const { width, ...packet } = options;
  return new Promise((resolve, reject) => {
    let [next, waiting] = [0, 0];
    let isSending = false;
    const end = (publication: P, error: Error | undefined) => {
      waiting--;
      try {
        settle(publication, error);
        send();
      } catch (failure) {
        next = publications.length;
        reject(failure);
      }
    };
    const send = () => {
      // A message that is settled immediately must not send the next one recursively: the stack is limited.
      if (isSending) return;
      isSending = true;
      while (next < publications.length && waiting < width) {
        const publication = publications[next++]!;
        waiting++;
        client.publish(publication.topic, publication.body, packet, (error) =>
          end(publication, error ?? undefined),
        );
      }
      isSending = false;
      if (waiting === 0) resolve();
    };
    send();
  });
}
