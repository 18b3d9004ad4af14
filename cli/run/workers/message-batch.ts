/**
 * Sends what is added in one turn of the event loop as one message. Node.js keeps some 30 KiB of native memory for each message until the next
 * garbage collection, which in an idle parent is hours away: the 1,024 claims of the start, each with its reply and its reports, took 50 MiB.
 */
export class MessageBatch<Message> {
  readonly #send: (messages: readonly Message[]) => void;
  #waiting: Message[] = [];
  #turn: NodeJS.Immediate | undefined;

  constructor(send: (messages: readonly Message[]) => void) {
    this.#send = send;
  }

  add(message: Message): void {
    this.#waiting.push(message);
    this.#turn ??= setImmediate(() => this.flush());
  }

  /** Sends what waits now, for a process that is about to end. */
  flush(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    if (this.#waiting.length === 0) return;
    const messages = this.#waiting;
    this.#waiting = [];
    this.#send(messages);
  }
}
