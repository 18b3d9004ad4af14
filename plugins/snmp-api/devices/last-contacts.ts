import {
  type DeviceIdentity,
  deviceKey,
  type EventBus,
  type EventMap,
  type Static,
  Type,
} from '../../../src/index.ts';

export const lastPollSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    plan: Type.String(),
    ok: Type.Boolean(),
    durationMs: Type.Number(),
    packets: Type.Integer(),
    values: Type.Integer(),
    gaps: Type.Record(Type.String(), Type.Integer(), { description: 'missing values by reason' }),
  },
  { title: 'LastPoll', description: 'the last poll that ended, of any interval' },
);

export const lastErrorSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    code: Type.String({ description: 'a code of docs/errors.md, or the reason why values are missing' }),
    message: Type.String(),
  },
  {
    title: 'LastError',
    description: 'the last failure of a poll or discovery since the start; the device may work again',
  },
);

type Poll = EventMap['poll.completed'] | EventMap['poll.failed'];
type LastError = Static<typeof lastErrorSchema>;

/** Keeps the last poll and the last failure of each device, from events. */
export class LastContacts {
  readonly #contacts = new Map<string, Contact>();
  readonly #now: () => number;

  constructor(events: EventBus, now: () => number) {
    this.#now = now;
    const keepPoll = (poll: Poll) => {
      const contact = this.#contactOf(poll.device);
      contact.poll = poll;
      contact.pollMs = now();
      if ('reason' in poll)
        contact.error = { atMs: now(), code: poll.reason, message: describeFailure(poll) };
    };
    events.on('poll.completed', keepPoll);
    events.on('poll.failed', keepPoll);
    events.on('discovery.failed', ({ device, code, message }) => {
      this.#contactOf(device).error = { atMs: this.#now(), code, message };
    });
    events.on('device.removed', ({ device }) => void this.#contacts.delete(deviceKey(device)));
  }

  /** Empty before the first event of the device. */
  describe(device: DeviceIdentity): {
    readonly lastPoll?: Static<typeof lastPollSchema>;
    readonly lastError?: LastError;
  } {
    const { poll, pollMs, error } = this.#contacts.get(deviceKey(device)) ?? newContact();
    return {
      ...(poll === undefined ? {} : { lastPoll: describePoll(poll, pollMs) }),
      ...(error === undefined
        ? {}
        : { lastError: { at: isoTime(error.atMs), code: error.code, message: error.message } }),
    };
  }

  #contactOf(device: DeviceIdentity): Contact {
    const key = deviceKey(device);
    let contact = this.#contacts.get(key);
    if (contact === undefined) {
      contact = newContact();
      this.#contacts.set(key, contact);
    }
    return contact;
  }
}

interface Contact {
  poll: Poll | undefined;
  pollMs: number;
  error: { readonly atMs: number; readonly code: string; readonly message: string } | undefined;
}

function newContact(): Contact {
  return { poll: undefined, pollMs: 0, error: undefined };
}

function describePoll(poll: Poll, pollMs: number): Static<typeof lastPollSchema> {
  const { plan, durationMs, packets, gaps } = poll;
  const values = 'values' in poll ? poll.values : 0;
  return { at: isoTime(pollMs), plan, ok: 'values' in poll, durationMs, packets, values, gaps: { ...gaps } };
}

function describeFailure({ plan, reason }: EventMap['poll.failed']): string {
  return `The poll "${plan}" returned no value: ${reason}.`;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
