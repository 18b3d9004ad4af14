import type { RemoteInfo } from 'node:dgram';
import type { Clock } from '../../timing/clock.ts';
import { Wheel } from '../../timing/wheel.ts';
import { isDecodeFault } from '../codec/decode-fault.ts';
import type { SnmpErrorCode } from '../snmp-error.ts';
import { newCounters, snapshotOf, type TransportCounters } from './counters.ts';
import { Envelope } from './envelope.ts';
import type { Flight, Peer } from './flight.ts';
import { FlightQueue } from './flight-queue.ts';
import { RequestIds } from './request-ids.ts';
import { SendBudget, type SendLimits } from './send-budget.ts';
import { type SocketSettings, UdpSockets } from './udp-sockets.ts';

/** How long a retransmission is postponed when the retry budget does not allow it. */
const postponeMs = 200;

/** Sends requests to all devices and receives their replies: sockets, ids, deadlines, limits. It does not know sessions or PDUs. */
export class Transport {
  readonly clock: Clock;
  readonly counters = newCounters();
  readonly #sockets: UdpSockets;
  readonly #ids = new RequestIds();
  readonly #flights = new Map<number, Flight>();
  readonly #wheel: Wheel<Flight>;
  readonly #budget: SendBudget;
  readonly #envelope = new Envelope(this.counters.tolerated);
  /** Flights that global limits hold back. */
  readonly #queue = new FlightQueue();
  /** Flights that the pace of their device holds back. */
  readonly #paced = new Set<Flight>();
  readonly #maySend: (() => boolean) | undefined;
  #drainTimer: unknown = undefined;
  #nextSocket = 0;
  #isClosed = false;

  constructor(clock: Clock, limits: SendLimits, sockets: SocketSettings, maySend?: () => boolean) {
    this.clock = clock;
    this.#maySend = maySend;
    this.#budget = new SendBudget(limits);
    this.#wheel = new Wheel(behindReplies(clock), (flight) => this.#expire(flight));
    this.#sockets = new UdpSockets(sockets, {
      onDatagram: (datagram, from) => this.#receive(datagram, from),
      onSocketError: () => {
        this.counters.socketErrors++;
      },
    });
  }

  snapshot(): TransportCounters {
    return { ...snapshotOf(this.counters), sockets: this.#sockets.count };
  }

  readKernelDrops(): Promise<number | undefined> {
    return this.#sockets.readKernelDrops();
  }

  /** Sends the flight's request as soon as the limits allow. */
  launch(flight: Flight): void {
    flight.attempts = 0;
    flight.bonusAttempts = 0;
    flight.hint = undefined;
    flight.isHopeless = false;
    if (!flight.keepsPace || !this.#holdBack(flight)) this.#launchNow(flight);
  }

  #launchNow(flight: Flight): void {
    const { peer } = flight;
    if (peer.outstanding < peer.window) {
      this.#admit(flight);
      return;
    }
    peer.waiting ??= [];
    peer.waiting.push(flight);
    this.#hold(flight, 'waiting');
  }

  /** Ends a flight whose reply was accepted under `id`. */
  accept(flight: Flight, id: number): void {
    this.counters.accepted++;
    const attempt = flight.ids[0] === id ? 0 : flight.ids.indexOf(id);
    if (attempt >= 0 && attempt < flight.attempts) {
      flight.peer.learnRoundTrip(this.clock.now() - flight.sentAtMs[attempt]!);
    }
    this.end(flight);
  }

  /** Ends a flight in any state. Later replies to it are ignored. */
  end(flight: Flight): void {
    const { peer } = flight;
    switch (flight.state) {
      case 'ended':
        return;
      case 'paced':
        this.#paced.delete(flight);
        this.counters.waiting--;
        break;
      case 'waiting':
        peer.waiting!.splice(peer.waiting!.indexOf(flight), 1);
        this.counters.waiting--;
        break;
      case 'queued':
        this.#queue.delete(flight);
        this.counters.waiting--;
        peer.outstanding--;
        break;
      case 'flying':
        for (let i = 0; i < flight.attempts; i++) this.#flights.delete(flight.ids[i]!);
        this.counters.inFlight--;
        peer.outstanding--;
        break;
    }
    this.#wheel.remove(flight);
    flight.state = 'ended';
    this.#admitNext(flight);
  }

  /** Sends the request of a flying flight again immediately, within the same deadline. */
  resend(flight: Flight): void {
    if (flight.state !== 'flying') return;
    flight.bonusAttempts++;
    this.#send(flight);
  }

  /** Fails all requests of this owner to this peer. */
  failAll(peer: Peer, owner: object): void {
    if (peer.outstanding + this.#paced.size === 0) return;
    const own = (flights: Iterable<Flight>) => [...flights].filter((flight) => flight.owner === owner);
    // The waiting ones first, so that they are not admitted when others end.
    for (const flight of own([...this.#paced, ...(peer.waiting ?? [])])) this.#fail(flight, 'SNMP_CLOSED');
    const underWay = new Set([...own(this.#flights.values()), ...own(this.#queue.toArray())]);
    for (const flight of underWay) this.#fail(flight, 'SNMP_CLOSED');
  }

  close(): void {
    this.#isClosed = true;
    this.#wheel.stop();
    if (this.#drainTimer !== undefined) this.clock.clearTimer(this.#drainTimer);
    this.#drainTimer = undefined;
    this.#sockets.close();
  }

  #admit(flight: Flight): void {
    flight.peer.outstanding++;
    const now = this.clock.now();
    if (this.#queue.size === 0 && this.#mayLaunch(now)) {
      this.#start(flight, now);
      return;
    }
    this.#queue.push(flight);
    this.#hold(flight, 'queued');
    this.#drainLater();
  }

  /** A flight that limits hold back still has its deadline. */
  #hold(flight: Flight, state: 'waiting' | 'queued'): void {
    flight.state = state;
    this.counters.waiting++;
    if (flight.latestMs !== Number.POSITIVE_INFINITY) this.#wheel.add(flight, flight.latestMs);
  }

  /** Whether the flight has to wait because of the pace of its device. */
  #holdBack(flight: Flight): boolean {
    const now = this.clock.now();
    const waitMs = flight.peer.pace.take(now);
    if (waitMs === 0) return false;
    flight.state = 'paced';
    this.counters.waiting++;
    this.#paced.add(flight);
    this.#wheel.add(flight, Math.min(now + waitMs, flight.latestMs));
    return true;
  }

  #mayLaunch(now: number): boolean {
    return this.counters.inFlight < this.#budget.limits.maxInFlight && this.#budget.take(now);
  }

  #start(flight: Flight, now: number): void {
    flight.state = 'flying';
    this.counters.inFlight++;
    flight.launchedAtMs = now;
    flight.finalMs = now;
    const { peer } = flight;
    for (let attempt = 0; attempt <= peer.settings.retries; attempt++) {
      flight.finalMs += peer.timeoutMs(attempt);
    }
    flight.finalMs = Math.min(flight.finalMs, flight.latestMs);
    this.#send(flight, now);
  }

  #send(flight: Flight, now = this.clock.now()): void {
    const { peer } = flight;
    if (this.#maySend?.() === false) {
      // It fails in the wheel, because failing here would admit the next request, and so on.
      flight.hint = 'SNMP_NOT_SENT';
      this.#wheel.add(flight, now);
      return;
    }
    const id = this.#ids.next(this.#flights);
    this.#flights.set(id, flight);
    const attempt = flight.attempts++;
    flight.ids[attempt] = id;
    flight.sentAtMs[attempt] = now;
    const datagram = flight.encode(id);
    if (peer.socketIndex < 0) peer.socketIndex = this.#nextSocket++;
    const socket = this.#sockets.get(peer.settings.isIpv6, peer.socketIndex);
    this.counters.sent++;
    const isRetransmission = attempt > flight.bonusAttempts;
    if (isRetransmission) this.counters.retransmitted++;
    flight.onTransmission(isRetransmission);
    // A callback costs a turn of the tick queue for every datagram. For a device that has answered before, errors of the
    // system are only needed from the second attempt on.
    const wantsError = attempt > 0 || peer.srttMs === 0 || peer.settings.retries === 0;
    if (wantsError) flight.onSent ??= (error) => error !== null && this.#recordSendError(flight, error);
    socket.send(datagram, peer.port, peer.address, wantsError ? flight.onSent : undefined);
    if (socket.getSendQueueCount() !== 0) flight.bufferHeld();
    const waitMs = peer.timeoutMs(attempt - flight.bonusAttempts);
    this.#wheel.add(flight, Math.min(now + waitMs, flight.finalMs));
  }

  #recordSendError(flight: Flight, error: NodeJS.ErrnoException): void {
    const code = error.code ?? 'unknown';
    this.counters.sendErrors[code] = (this.counters.sendErrors[code] ?? 0) + 1;
    flight.hint = 'SNMP_UNREACHABLE';
  }

  #receive(datagram: Buffer, from: RemoteInfo): void {
    this.counters.received++;
    try {
      this.#handle(datagram, from);
    } catch {
      this.counters.internalFaults++;
    }
  }

  #handle(datagram: Buffer, from: RemoteInfo): void {
    const { counters } = this;
    const envelope = this.#envelope;
    const fault = envelope.read(datagram);
    if (fault !== undefined) {
      counters.malformed[fault]++;
      return;
    }
    const flight = this.#flights.get(envelope.id);
    if (flight === undefined) {
      counters.ignored.unknownRequest++;
      return;
    }
    const { peer } = flight;
    if ((from.port !== peer.port || from.address !== peer.address) && !peer.settings.acceptsAnySource) {
      counters.ignored.wrongSource++;
      return;
    }
    const refusal = flight.receive(datagram, envelope);
    if (refusal === undefined) return;
    if (isDecodeFault(refusal)) counters.malformed[refusal]++;
    else counters.ignored[refusal]++;
  }

  #expire(flight: Flight): void {
    const { peer } = flight;
    if (flight.state === 'paced' && this.clock.now() < flight.latestMs) {
      this.#paced.delete(flight);
      this.counters.waiting--;
      this.#launchNow(flight);
      return;
    }
    if (flight.state !== 'flying' || flight.hint === 'SNMP_NOT_SENT') {
      const isOver = flight.hint === 'SNMP_NOT_SENT' && this.#maySend?.() === false;
      // What waits for this device would be admitted only to fail.
      for (const waiting of isOver ? [...(peer.waiting ?? [])] : []) this.#fail(waiting, 'SNMP_NOT_SENT');
      this.#fail(flight, 'SNMP_NOT_SENT');
      return;
    }
    const now = this.clock.now();
    // A delay of our own event loop does not cost an attempt.
    flight.finalMs = Math.min(flight.finalMs + now - flight.dueMs, flight.latestMs);
    const isOver =
      flight.isHopeless ||
      now >= flight.finalMs ||
      flight.attempts - flight.bonusAttempts > peer.settings.retries;
    if (!isOver) {
      if (this.#budget.takeRetry(now)) {
        if (flight.hint === 'SNMP_RETRY_BUDGET') flight.hint = undefined;
        this.#send(flight, now);
      } else {
        this.counters.retriesPutOff++;
        flight.hint ??= 'SNMP_RETRY_BUDGET';
        this.#wheel.add(flight, Math.min(now + postponeMs, flight.finalMs));
      }
      return;
    }
    this.counters.timeouts++;
    peer.learnTimeout();
    this.#fail(flight, flight.hint ?? 'SNMP_TIMEOUT');
  }

  #fail(flight: Flight, code: SnmpErrorCode): void {
    this.end(flight);
    flight.fail(code);
  }

  #admitNext(ended: Flight): void {
    if (this.#isClosed) return;
    const { peer } = ended;
    while (peer.waiting !== undefined && peer.waiting.length > 0 && peer.outstanding < peer.window) {
      const next = peer.waiting.shift()!;
      this.counters.waiting--;
      this.#admit(next);
    }
    if (this.#queue.size > 0) this.#drain();
  }

  #drain(): void {
    const now = this.clock.now();
    while (this.#queue.size > 0 && this.#mayLaunch(now)) {
      this.counters.waiting--;
      this.#start(this.#queue.shift()!, now);
    }
    if (this.#queue.size > 0) this.#drainLater();
  }

  #drainLater(): void {
    if (this.#drainTimer !== undefined || this.#isClosed) return;
    this.#drainTimer = this.clock.setTimer(() => {
      this.#drainTimer = undefined;
      this.#drain();
    }, 10);
  }
}

/** After a stall, the replies that wait in the sockets come first: timers run before the poll phase, immediates after it. */
function behindReplies(clock: Clock): Pick<Clock, 'now' | 'setTimer' | 'clearTimer'> {
  return {
    now: () => clock.now(),
    setTimer: (run, afterMs) => clock.setTimer(() => setImmediate(run), afterMs),
    clearTimer: (timer) => clock.clearTimer(timer),
  };
}
