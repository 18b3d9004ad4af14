import {
  type DropEntry,
  type EngineState,
  type ListenAddress,
  type ListenerStatistics,
  type Notification,
  NotificationListeners,
  NotificationReceiver,
  type NotificationRights,
  type ReceiverOptions,
  type ReceiverStatistics,
  type ReceiverUser,
  type Verdict,
} from '../../../src/snmp/index.ts';
import { FairQueue } from './fair-queue.ts';
import { ReplayJournal } from './replay-journal.ts';
import { type Wire, writeNotification } from './wire-form.ts';

/** Plain data, so that it can be sent to a thread. */
export interface ReceptionSettings {
  readonly listen: readonly ListenAddress[];
  readonly receiveBufferBytes: number;
  readonly maxQueued: number;
  /** Whether the main thread needs the octets of notifications, to copy them. */
  readonly keepsDatagrams: boolean;
  readonly rights: NotificationRights;
  readonly users: readonly ReceiverUser[];
  readonly engine: { readonly id: Uint8Array; readonly boots: number };
  readonly engineStates: readonly EngineState[];
  /** What polling knows. What waits in a socket that was passed is checked with it. */
  readonly polledEngines: readonly EngineState[];
  /** Where the signed traps of the last minutes are remembered. */
  readonly journalFolder: string;
  readonly engines: NonNullable<ReceiverOptions['engines']>;
  readonly limits: NonNullable<ReceiverOptions['limits']>;
}

export interface ReceptionReport {
  readonly receiver: ReceiverStatistics;
  readonly listeners: readonly ListenerStatistics[];
  readonly recentDrops: readonly DropEntry[];
  readonly drops: readonly DropEntry[];
  /** Engines of senders. */
  readonly engines: readonly EngineState[];
  /** Why the last signed traps could not be remembered over a restart; undefined when they were. */
  readonly journalFailure: string | undefined;
}

/** Enough that crossing threads costs little for each, and few enough for one turn of the main thread. */
const groupSize = 128;
/** How long traps wait for more: to wake the main thread costs as much as several notifications. */
const gatherMs = 5;
/** Groups that the main thread may have. The rest waits here, where sources share the room. */
const maxGroups = 4;

/** What is kept of a notification until it is settled. Its wire form is smaller than its objects, and crosses threads as it is. */
interface Waiting extends Pick<Notification, 'informId' | 'source'> {
  readonly wire: Wire;
}

/** Sockets and checks. It runs in a thread of its own, or in the main thread. */
export class Reception {
  readonly #receiver: NotificationReceiver;
  readonly #queue: FairQueue<Waiting>;
  readonly #keepsDatagrams: boolean;
  readonly #listeners: NotificationListeners;
  readonly #journal: ReplayJournal;
  readonly #underWay: Pick<Waiting, 'informId' | 'source'>[][] = [];
  /** Set when the main thread is ready. Until then notifications wait in the queue. */
  #sendGroup: ((wire: Wire) => void) | undefined;
  #journalFailure: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isUrgent = false;
  #isClosed = false;

  private constructor(settings: ReceptionSettings) {
    const { rights, users, engine, engines, limits, maxQueued } = settings;
    this.#keepsDatagrams = settings.keepsDatagrams;
    this.#queue = new FairQueue(maxQueued);
    this.#journal = new ReplayJournal(settings.journalFolder, (error) => {
      this.#journalFailure = error instanceof Error ? error.message : String(error);
    });
    this.#receiver = new NotificationReceiver({
      rights,
      users,
      engine,
      engines,
      limits,
      memory: this.#journal,
      onNotification: (notification) => this.#add(notification),
      send: (reply, listener, port, address) => this.#listeners.send(reply, listener, port, address),
    });
    const { marks, engines: remembered } = this.#journal.read(Date.now());
    this.#receiver.restoreEngines([...settings.engineStates, ...remembered]);
    this.#receiver.updateEngines(settings.polledEngines);
    this.#receiver.restoreMarks(marks);
    this.#listeners = new NotificationListeners({
      listen: settings.listen,
      receiveBufferBytes: settings.receiveBufferBytes,
      onDatagram: (datagram, address, port, listener) =>
        this.#receiver.receive(datagram, address, port, listener),
    });
  }

  /** Receives and checks from now on; `begin` passes on what is allowed. Rejects with the system's error when a listener cannot be opened. */
  static async open(settings: ReceptionSettings): Promise<Reception> {
    const reception = new Reception(settings);
    await reception.#listeners.listen();
    return reception;
  }

  /** Passes on what has waited since the listeners opened, and what comes from now on. Each group must be settled, in order. */
  begin(sendGroup: (wire: Wire) => void): void {
    this.#sendGroup = sendGroup;
    this.#sendWaiting();
  }

  get addresses(): readonly ListenAddress[] {
    return this.#listeners.addresses;
  }

  setRights(rights: NotificationRights): void {
    this.#receiver.setRights(rights);
  }

  setUsers(users: readonly ReceiverUser[]): void {
    this.#receiver.setUsers(users);
  }

  updateEngines(states: readonly EngineState[]): void {
    this.#receiver.updateEngines(states);
  }

  /** The verdicts on the oldest group that was sent. */
  settle(verdicts: readonly Verdict[]): void {
    const group = this.#underWay.shift() ?? [];
    for (const [position, notification] of group.entries())
      this.#receiver.settle(notification, verdicts[position] ?? 'queue');
    // What has waited long enough found no room until now.
    if (this.#queue.size >= groupSize || this.#timer === undefined) this.#sendWaiting();
  }

  async report(): Promise<ReceptionReport> {
    return {
      receiver: this.#receiver.statistics(),
      listeners: await this.#listeners.statistics(),
      recentDrops: this.#receiver.takeRecentDrops(),
      drops: this.#receiver.listDrops(),
      engines: this.#receiver.exportEngines(),
      journalFailure: this.#journalFailure,
    };
  }

  /** Nothing more is received. Informs that wait are not answered. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#listeners.close();
    this.#journal.close();
  }

  #add(notification: Notification): 'later' {
    const { informId, source } = notification;
    const wire: Wire = [];
    writeNotification(notification, Date.now(), wire, this.#keepsDatagrams);
    const dropped = this.#queue.add(source, { informId, source, wire });
    if (dropped !== undefined) setImmediate(() => this.#receiver.settle(dropped, 'queue'));
    this.#timer ??= setTimeout(() => this.#sendWaiting(), gatherMs);
    // The sender of an inform waits for the answer.
    if ((informId !== 0 || this.#queue.size >= groupSize) && !this.#isUrgent) {
      this.#isUrgent = true;
      setImmediate(() => this.#sendWaiting());
    }
    return 'later';
  }

  #sendWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isUrgent = false;
    const send = this.#sendGroup;
    if (send === undefined) return;
    // Before they are passed on: what is recorded once is not accepted again, whatever happens to this process.
    this.#journal.flush(Date.now());
    while (!this.#isClosed && this.#queue.size > 0 && this.#underWay.length < maxGroups) {
      const group: Pick<Waiting, 'informId' | 'source'>[] = [];
      const wire: Wire = [];
      while (group.length < groupSize) {
        const next = this.#queue.take();
        if (next === undefined) break;
        group.push({ informId: next.informId, source: next.source });
        for (const part of next.wire) wire.push(part);
      }
      this.#underWay.push(group);
      send(wire);
    }
  }
}
