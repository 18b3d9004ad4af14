import { createHash } from 'node:crypto';
import type { Msg } from '@nats-io/transport-node';
import type { Batch } from '../../../src/index.ts';
import {
  type AddressTemplate,
  connectionFailure,
  type Message,
  untilAborted,
} from '../../../src/output-kit/index.ts';
import type { OpenNats } from './nats-driver.ts';

/** The most unanswered messages. When half of them are answered, further ones are sent. */
const window = 1_000;
/** JetStream's code for a message larger than the stream accepts. */
const tooLargeForStream = 10054;
/** The status in the header of a reply when no stream has the subject. */
const noResponders = 503;

/**
 * Publishes messages to a stream. All replies come to one inbox, under the number of their message: a promise, a timer and an error object
 * per message, as in the package for JetStream, cost more than all the rest together.
 */
export class StreamPublication {
  readonly #messages: readonly Message[];
  readonly #subjectOf: AddressTemplate;
  readonly #open: OpenNats;
  readonly #refuse: (batch: Batch, why: Error) => void;
  readonly #inbox: string;
  readonly #idOf = createMessageIds();
  readonly #waiting = new Set<number>();
  #next = 0;
  #resolve = () => {};
  #reject: (why: unknown) => void = () => {};

  /** `refuse` is called for batches with a message that the stream refuses for good. */
  constructor(
    messages: readonly Message[],
    subjectOf: AddressTemplate,
    open: OpenNats,
    refuse: (batch: Batch, why: Error) => void,
  ) {
    this.#messages = messages;
    this.#subjectOf = subjectOf;
    this.#open = open;
    this.#refuse = refuse;
    this.#inbox = open.transport.createInbox();
  }

  /** Resolves when the stream has answered every message. */
  async run(): Promise<void> {
    const { connection, lost, forbidden } = this.#open;
    const answers = connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, answer) => {
        try {
          if (error !== null) throw error;
          this.#take(answer);
        } catch (why) {
          this.#reject(why);
        }
      },
    });
    forbidden.watch((subject) => {
      for (const i of [...this.#waiting]) if (this.#subjectAt(i) === subject) this.#settle(i);
    });
    try {
      const stored = new Promise<void>((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
        this.#send();
      });
      await untilAborted(lost, stored);
    } finally {
      forbidden.watch(undefined);
      answers.unsubscribe();
    }
  }

  #send(): void {
    const { connection, transport } = this.#open;
    const headers = transport.headers();
    for (; this.#next < this.#messages.length && this.#waiting.size < window; this.#next++) {
      const message = this.#messages[this.#next]!;
      headers.set('Nats-Msg-Id', this.#idOf(message));
      const reply = `${this.#inbox}.${this.#next}`;
      connection.publish(this.#subjectAt(this.#next), message.body, { headers, reply });
      this.#waiting.add(this.#next);
    }
    if (this.#waiting.size === 0) this.#resolve();
  }

  #take(answer: Msg): void {
    const i = Number(answer.subject.slice(this.#inbox.length + 1));
    if (!this.#waiting.has(i)) return;
    const place = () => `stream for ${this.#subjectAt(i)}`;
    if (answer.headers?.code === noResponders) {
      const server = this.#open.connection.getServer();
      throw connectionFailure('SERVER_LACKS_PLACE', { server, place: place() });
    }
    const { error } = answer.json<StreamAnswer>();
    if (error !== undefined) {
      if (error.err_code !== tooLargeForStream)
        throw new Error(`the ${place()} answered: ${error.description}`);
      this.#refuse(this.#messages[i]!.batch, new Error('A document is larger than the stream accepts.'));
    }
    this.#settle(i);
  }

  #settle(i: number): void {
    this.#waiting.delete(i);
    if (this.#waiting.size <= window / 2) this.#send();
  }

  #subjectAt(i: number): string {
    const { batch, rowKey } = this.#messages[i]!;
    return this.#subjectOf(batch, rowKey);
  }
}

interface StreamAnswer {
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

/**
 * Makes ids that are the same for the same row at the same time, so that a stream drops repeated messages: a digest of the batch and the
 * number of the row. The digest is made once for successive messages of a batch.
 */
function createMessageIds(): (message: Message) => string {
  let last: Batch | undefined;
  let digest = '';
  return ({ batch, row }) => {
    if (batch !== last) {
      last = batch;
      digest = digestOf(batch);
    }
    return `${digest}.${row}`;
  };
}

function digestOf({ device, record, plan, slotMs, sequence, rows }: Batch): string {
  const identity = [device.ip, device.port, device.name, record, plan, slotMs, sequence, rows.keys];
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, 32);
}
