import { isIPv4 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Severity } from '../../../src/definitions/index.ts';
import {
  createNotificationSender,
  type NotificationBody,
  type NotificationSender,
  SnmpError,
  type Target,
} from '../../../src/snmp/index.ts';
import { type ReceivedNotification, toVarbind } from '../receiving/wire-form.ts';

/** What became of the copies for all targets. */
export interface ForwardCounts {
  /** Traps that the system has taken: nobody answers them. */
  sent: number;
  /** Informs that the target has answered. */
  acknowledged: number;
  failed: number;
  /** More than a target can have waiting. */
  dropped: number;
  /** Counter64 in SNMPv1, and what cannot be copied octet by octet. */
  untranslatable: number;
  /** They came from the target. */
  returned: number;
}

export function newForwardCounts(): ForwardCounts {
  return { sent: 0, acknowledged: 0, failed: 0, dropped: 0, untranslatable: 0, returned: 0 };
}

export interface ForwardSettings {
  readonly target: Target;
  /** The same octets again. */
  readonly isVerbatim: boolean;
  readonly isInform: boolean;
  readonly engine: { readonly id: Uint8Array; readonly boots: number };
  /** The severities that it gets. */
  readonly severities: ReadonlySet<Severity>;
  /** Names of notifications; empty: all. */
  readonly names: readonly RegExp[];
}

interface Waiting {
  readonly body: NotificationBody;
  /** Set for what is copied octet by octet. */
  readonly datagram: Buffer | undefined;
}

const maxWaiting = 10_000;
/** Notifications that are under way to one target: informs wait for their answers. */
const maxUnderWay = 100;

/** Copies of notifications for one receiver. */
export class ForwardTarget {
  readonly #counts: ForwardCounts;
  #settings: ForwardSettings;
  #sender: NotificationSender;
  /** Those with earlier secrets, which wait for answers. */
  readonly #earlier = new Set<NotificationSender>();
  readonly #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(settings: ForwardSettings, counts: ForwardCounts) {
    this.#settings = settings;
    this.#counts = counts;
    this.#sender = senderOf(settings);
  }

  /** The same place with other secrets, for all that is not under way. */
  useTarget(target: Target): void {
    if (isDeepStrictEqual(target, this.#settings.target)) return;
    this.#settings = { ...this.#settings, target };
    this.#earlier.add(this.#sender);
    this.#sender = senderOf(this.#settings);
    this.#closeEarlier();
  }

  wants(name: string, severity: Severity): boolean {
    const { severities, names } = this.#settings;
    return severities.has(severity) && (names.length === 0 || names.some((each) => each.test(name)));
  }

  add(received: ReceivedNotification): void {
    const outcome = this.#refusalOf(received);
    if (outcome !== undefined) {
      this.#counts[outcome]++;
      return;
    }
    this.#waiting.push({
      body: bodyOf(received),
      datagram: this.#isCopied(received) ? Buffer.from(received.datagram ?? '', 'latin1') : undefined,
    });
    this.#sendWaiting();
  }

  close(): void {
    this.#waiting.length = 0;
    for (const sender of [this.#sender, ...this.#earlier]) sender.close();
  }

  #closeEarlier(): void {
    if (this.#underWay > 0) return;
    for (const sender of this.#earlier) sender.close();
    this.#earlier.clear();
  }

  #isCopied({ kind }: ReceivedNotification): boolean {
    return this.#settings.isVerbatim && kind === 'trap';
  }

  #refusalOf(received: ReceivedNotification): keyof ForwardCounts | undefined {
    const { isVerbatim, target } = this.#settings;
    if (received.source === target.address) return 'returned';
    // The answer to a copied inform would go to us, so it becomes SNMPv2c, which needs a community.
    const hasCommunity = target.version !== '3' && target.community !== '';
    if (isVerbatim && !this.#isCopied(received) && !hasCommunity) return 'untranslatable';
    return this.#underWay + this.#waiting.length >= maxWaiting ? 'dropped' : undefined;
  }

  #sendWaiting(): void {
    while (this.#underWay < maxUnderWay) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#underWay++;
      void this.#send(next).then((outcome) => {
        this.#underWay--;
        this.#counts[outcome]++;
        this.#closeEarlier();
        this.#sendWaiting();
      });
    }
  }

  async #send({ body, datagram }: Waiting): Promise<keyof ForwardCounts> {
    try {
      if (datagram !== undefined) await this.#sender.relay(datagram);
      else if (this.#settings.isInform) {
        await this.#sender.inform(body);
        return 'acknowledged';
      } else await this.#sender.trap(body);
      return 'sent';
    } catch (error) {
      return error instanceof SnmpError && error.code === 'SNMP_NO_V1_FORM' ? 'untranslatable' : 'failed';
    }
  }
}

function senderOf({ target, engine }: ForwardSettings): NotificationSender {
  return createNotificationSender(target, { engine });
}

/** With the address of who sent it, and never with a community (RFC 3584 §3.1). */
function bodyOf(received: ReceivedNotification): NotificationBody {
  const { oid, uptime, varbinds, agentAddress, enterprise, source } = received;
  return {
    oid,
    uptime,
    enterprise,
    agentAddress: agentAddress ?? (isIPv4(source) ? source : undefined),
    varbinds: varbinds.map(toVarbind),
  };
}
