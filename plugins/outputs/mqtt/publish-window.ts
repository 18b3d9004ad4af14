import type { MqttClient } from 'mqtt';

export interface Publication {
  readonly topic: string;
  readonly body: Buffer;
}

/**
 * Publishes in order, at most `width` at a time without an acknowledgement. The next one leaves with each that comes: a broker
 * with Nagle's algorithm keeps its further acknowledgements back until it hears from us. Resolves when all are settled: `settle`
 * hears of each with what went wrong, and throws what must end it all, which it rejects with.
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
      // What is settled at once must not send the next one within itself: the stack has an end.
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
