import type { NatsConnection } from '@nats-io/transport-node';

type PermissionError = typeof import('@nats-io/transport-node').PermissionViolationError;

/** The server tells what a user may not publish besides the messages, not in answer to one. */
export class ForbiddenSubjects {
  #subjects = new Set<string>();
  #hear: ((subject: string) => void) | undefined;

  constructor(connection: NatsConnection, PermissionViolationError: PermissionError) {
    const listen = async () => {
      for await (const status of connection.status()) {
        if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue;
        const { operation, subject } = status.error;
        if (operation !== 'publish') continue;
        this.#subjects.add(subject);
        this.#hear?.(subject);
      }
    };
    listen().catch(() => {});
  }

  /** `hear` is called for each message that is refused from now on. */
  watch(hear: ((subject: string) => void) | undefined): void {
    this.#hear = hear;
  }

  /** Those since it was asked last. */
  take(): ReadonlySet<string> {
    const taken = this.#subjects;
    this.#subjects = new Set();
    return taken;
  }
}
