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
}

/** Enough that crossing threads costs little for each, and few enough for one turn of the main thread. */
const groupSize = 128;
/** Groups that the main thread may have. The rest waits here, where sources share the room. */
const maxGroups = 4;

/** Sockets and checks. It runs in a thread of its own, or in the main thread. */
export class Reception {
  readonly #receiver: NotificationReceiver;
  readonly #queue: FairQueue<{ readonly notification: Notification; readonly timeMs: number }>;
  readonly #keepsDatagrams: boolean;
  readonly #sendGroup: (wire: Wire) => void;
  readonly #underWay: Notification[][] = [];
  #listeners: NotificationListeners | undefined;
  #isScheduled = false;
  #isClosed = false;

  private constructor(settings: ReceptionSettings, sendGroup: (wire: Wire) => void) {
    const { rights, users, engine, engines, limits, maxQueued } = settings;
    this.#sendGroup = sendGroup;
    this.#keepsDatagrams = settings.keepsDatagrams;
    this.#queue = new FairQueue(maxQueued);
    this.#receiver = new NotificationReceiver({
      rights,
      users,
      engine,
      engines,
      limits,
      onNotification: (notification) => this.#add(notification),
      send: (reply, listener, port, address) => this.#listeners?.send(reply, listener, port, address),
    });
    this.#receiver.restoreEngines(settings.engineStates);
  }

  /** Rejects with the system's error when a listener cannot be opened. */
  static async open(settings: ReceptionSettings, sendGroup: (wire: Wire) => void): Promise<Reception> {
    const reception = new Reception(settings, sendGroup);
    reception.#listeners = await NotificationListeners.open({
      listen: settings.listen,
      receiveBufferBytes: settings.receiveBufferBytes,
      onDatagram: (datagram, address, port, listener) =>
        reception.#receiver.receive(datagram, address, port, listener),
    });
    return reception;
  }

  get addresses(): readonly ListenAddress[] {
    return this.#listeners?.addresses ?? [];
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
    this.#sendWaiting();
  }

  async report(): Promise<ReceptionReport> {
    return {
      receiver: this.#receiver.statistics(),
      listeners: (await this.#listeners?.statistics()) ?? [],
      recentDrops: this.#receiver.takeRecentDrops(),
      drops: this.#receiver.listDrops(),
      engines: this.#receiver.exportEngines(),
    };
  }

  /** Nothing more is received. Informs that wait are not answered. */
  close(): void {
    this.#isClosed = true;
    this.#listeners?.close();
  }

  #add(notification: Notification): 'later' {
    // The buffers of a datagram belong to it alone: the system's receive buffer is copied for each message.
    const dropped = this.#queue.add(notification.source, { notification, timeMs: Date.now() });
    if (dropped !== undefined) setImmediate(() => this.#receiver.settle(dropped.notification, 'queue'));
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => {
        this.#isScheduled = false;
        this.#sendWaiting();
      });
    }
    return 'later';
  }

  #sendWaiting(): void {
    while (!this.#isClosed && this.#queue.size > 0 && this.#underWay.length < maxGroups) {
      const group: Notification[] = [];
      const wire: Wire = [];
      while (group.length < groupSize) {
        const next = this.#queue.take();
        if (next === undefined) break;
        group.push(next.notification);
        writeNotification(next.notification, next.timeMs, wire, this.#keepsDatagrams);
      }
      this.#underWay.push(group);
      this.#sendGroup(wire);
    }
  }
}
