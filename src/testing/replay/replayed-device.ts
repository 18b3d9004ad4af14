import { berTag } from '../../snmp/codec/ber-tag.ts';
import { SaltSource } from '../../snmp/usm/crypto/salt-source.ts';
import { AuthoritativeEngine } from '../../snmp/usm/engine/authoritative-engine.ts';
import type { SecurityUser } from '../../snmp/usm/user/security-user.ts';
import { DeviceView } from './device-view.ts';
import { CommunityResponder, type Refusal } from './protocol/community-responder.ts';
import { RequestReader } from './protocol/request-reader.ts';
import { SecureResponder } from './protocol/secure-responder.ts';
import { maxUdpPayloadBytes } from './protocol/varbind-list.ts';
import type { Recording } from './recording/recording.ts';
import { healthyKnobs, type MovingValue, type ReplayKnobs } from './replay-knobs.ts';
import { counting } from './value-functions.ts';

export interface DeviceSettings {
  readonly recording: Recording;
  readonly contexts: Readonly<Record<string, Recording>>;
  readonly community: string;
  readonly users: readonly SecurityUser[];
  readonly engineId: Buffer;
  readonly engineBoots: number;
  readonly clock: () => number;
}

/** A device without its socket: it answers datagrams and keeps the time since its last boot. */
export class ReplayedDevice {
  readonly #settings: DeviceSettings;
  readonly #reader = new RequestReader();
  readonly #community: CommunityResponder;
  readonly #secure: SecureResponder;
  #knobs = healthyKnobs;
  #view: DeviceView;
  readonly #contexts: ReadonlyMap<string, DeviceView>;
  #bootedAtMs: number;
  #reboots = 0;

  constructor(settings: DeviceSettings) {
    this.#settings = settings;
    this.#bootedAtMs = settings.clock();
    this.#view = new DeviceView(settings.recording, healthyKnobs);
    this.#contexts = new Map(
      Object.entries(settings.contexts).map(([name, recording]) => [
        name,
        new DeviceView(recording, healthyKnobs),
      ]),
    );
    this.#community = new CommunityResponder(settings.community);
    const salts = new SaltSource(settings.engineId.subarray(-8));
    this.#secure = new SecureResponder(
      new AuthoritativeEngine({
        ...settings,
        reader: new RequestReader(),
        salts,
        clock: () => this.#engineClock(),
      }),
    );
  }

  get knobs(): ReplayKnobs {
    return this.#knobs;
  }

  set(knobs: Partial<ReplayKnobs>): void {
    const merged = { ...this.#knobs, ...knobs };
    this.#view = this.#viewFor(merged);
    this.#knobs = { ...merged, maxReplyBytes: Math.min(merged.maxReplyBytes, maxUdpPayloadBytes) };
  }

  reboot(): void {
    this.#bootedAtMs = this.#settings.clock();
    this.#reboots++;
    this.#view = this.#viewFor(this.#knobs);
  }

  answer(datagram: Buffer): Buffer | Refusal {
    const nowMs = this.#settings.clock();
    this.#view.time = { nowMs, elapsedMs: nowMs - this.#bootedAtMs, wasRebooted: this.#reboots > 0 };
    const isV3 = versionOf(this.#reader, datagram) === 3;
    if (!isV3) return this.#community.answer(datagram, this.#view, this.#knobs);
    return this.#secure.answer(datagram, (name) => this.#contexts.get(name) ?? this.#view, this.#knobs);
  }

  #viewFor(knobs: ReplayKnobs): DeviceView {
    const hasUptime = knobs.hasMovingUptime || this.#reboots > 0;
    const uptime = hasUptime ? uptimeValues(() => this.#engineClock().boots) : [];
    return new DeviceView(this.#settings.recording, { ...knobs, values: [...uptime, ...knobs.values] });
  }

  #engineClock(): { readonly boots: number; readonly time: number } {
    const { clock, engineBoots } = this.#settings;
    const time = Math.floor((clock() - this.#bootedAtMs) / 1000);
    return { boots: this.#knobs.hasBootsStuckAtZero ? 0 : engineBoots + this.#reboots, time };
  }
}

function versionOf(reader: RequestReader, datagram: Buffer): number {
  reader.open(datagram).enter(berTag.sequence);
  return reader.readInteger(berTag.integer);
}

/** The objects that report the uptime of an agent, where the recording contains them. */
function uptimeValues(boots: () => number): readonly MovingValue[] {
  return [
    { under: sysUpTime, at: counting(100) },
    { under: snmpEngineTime, at: counting(1) },
    { under: snmpEngineBoots, at: boots },
  ];
}

const sysUpTime = '1.3.6.1.2.1.1.3.0';
const snmpEngineBoots = '1.3.6.1.6.3.10.2.1.2.0';
const snmpEngineTime = '1.3.6.1.6.3.10.2.1.3.0';
