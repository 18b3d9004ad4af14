import type { Notification, SecurityLevelName, SnmpType, Varbind } from '../../../src/snmp/index.ts';

/** A varbind whose octets are a string with one octet per character: it crosses threads without its buffer. */
export interface ReceivedVarbind {
  readonly oid: string;
  readonly type: SnmpType;
  readonly value: string | number | bigint | null;
}

/** A notification as the main thread gets it. */
export interface ReceivedNotification
  extends Omit<Notification, 'varbinds' | 'datagram' | 'receivedAtMs' | 'listener'> {
  readonly varbinds: readonly ReceivedVarbind[];
  /** The datagram, one octet per character; undefined unless something copies it. */
  readonly datagram: string | undefined;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
}

/** The varbind with its octets in a buffer again. */
export function toVarbind({ oid, type, value }: ReceivedVarbind): Varbind {
  const isOctets = type === 'OctetString' || type === 'Opaque' || type === 'NsapAddress';
  const octets = isOctets && typeof value === 'string' ? Buffer.from(value, 'latin1') : value;
  return { oid, type, value: octets } as Varbind;
}

type Primitive = string | number | bigint | null | undefined;

/** A flat list crosses threads several times faster than objects do. */
export type Wire = Primitive[];

const levels: readonly SecurityLevelName[] = ['noAuthNoPriv', 'authNoPriv', 'authPriv'];

export function writeNotification(
  notification: Notification,
  timeMs: number,
  out: Wire,
  keepsDatagram = false,
): void {
  const { varbinds, v1, security, datagram } = notification;
  out.push(
    notification.informId,
    notification.version,
    notification.oid,
    notification.uptime,
    notification.agentAddress,
    notification.enterprise,
    levels.indexOf(notification.level),
    notification.source,
    notification.port,
    timeMs,
    v1?.generic,
    v1?.specific,
    security?.userKey,
    security?.user,
    security?.engineId,
    security?.contextEngineId,
    security?.context,
    keepsDatagram ? datagram.toString('latin1') : undefined,
    varbinds.length,
  );
  for (const { oid, type, value } of varbinds)
    out.push(oid, type, Buffer.isBuffer(value) ? value.toString('latin1') : value);
}

/** Reads what `writeNotification` wrote. */
export class WireReader {
  readonly #wire: Wire;
  #at = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#wire.length;
  }

  next(): ReceivedNotification {
    const informId = this.#number();
    const version = this.#text() as Notification['version'];
    const oid = this.#text();
    const uptime = this.#take() as number | undefined;
    const agentAddress = this.#take() as string | undefined;
    const enterprise = this.#take() as string | undefined;
    const level = levels[this.#number()]!;
    const source = this.#text();
    const port = this.#number();
    const timeMs = this.#number();
    const generic = this.#take() as number | undefined;
    const specific = this.#number();
    const userKey = this.#take() as string | undefined;
    const rest = {
      user: this.#text(),
      engineId: this.#text(),
      contextEngineId: this.#text(),
      context: this.#text(),
    };
    const datagram = this.#take() as string | undefined;
    const varbinds: ReceivedVarbind[] = [];
    for (let left = this.#number(); left > 0; left--)
      varbinds.push({
        oid: this.#text(),
        type: this.#text() as SnmpType,
        value: this.#take() as ReceivedVarbind['value'],
      });
    return {
      kind: informId === 0 ? 'trap' : 'inform',
      version,
      informId,
      oid,
      uptime,
      varbinds,
      datagram,
      agentAddress,
      enterprise,
      v1: generic === undefined ? undefined : { generic, specific },
      level,
      security: userKey === undefined ? undefined : { userKey, ...rest },
      source,
      port,
      timeMs,
    };
  }

  #take(): Primitive {
    return this.#wire[this.#at++];
  }

  #text(): string {
    return this.#take() as string;
  }

  #number(): number {
    return this.#take() as number;
  }
}
