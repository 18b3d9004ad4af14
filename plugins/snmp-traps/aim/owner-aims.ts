import { type DeviceIdentity, type Logger, Type } from '../../../src/index.ts';
import { type Shards, shardOf } from '../../../src/sharding/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { TrapPoll } from '../record/trap-log.ts';
import type { AimedPolls, AimingTrap } from './aimed-polls.ts';

export const aimPath = '/api/v1/snmp/traps/aim';

const text = Type.String({ maxLength: 1_500 });
/** More rows of one notification than this are not passed on. */
const maxRows = 100;
const row = Type.Object({ object: text, table: text, instance: text }, { additionalProperties: false });

/** What the owner of a device has to know of a notification that another process received. */
export const passedAims = Type.Object(
  {
    aims: Type.Array(
      Type.Object(
        {
          ip: text,
          port: Type.Integer(),
          trapId: Type.String({ pattern: '^[0-9A-Z]{26}$' }),
          name: text,
          poll: Type.Array(text, { maxItems: maxRows }),
          rediscover: Type.Boolean(),
          named: Type.Array(row, { maxItems: maxRows }),
          pointed: Type.Array(row, { maxItems: maxRows }),
        },
        { title: 'PassedAim', additionalProperties: false },
      ),
    ),
  },
  { title: 'PassedAims', additionalProperties: false },
);

type PassedAim = (typeof passedAims)['static']['aims'][number];

export interface OwnerAimsParts {
  readonly shards: Pick<Shards, 'owns' | 'fleet'>;
  readonly aimed: Pick<AimedPolls, 'add' | 'skip'>;
  findDevice(device: DeviceIdentity): Device | undefined;
  onPassed(trapIds: readonly string[], poll: TrapPoll): void;
  readonly log: Logger;
}

/** What one owner is asked at once: everything that comes within this time. */
const gatherMs = 100;
/** The time between two requests to one owner: each writes a line to its audit log. */
const restMs = 1_000;
/** Less than a member accepts in one body, unless its `limits.body_bytes` is smaller than by default. */
const maxBodyBytes = 200_000;
/** For one owner. What comes beyond that is skipped: its devices are polled by their schedule. */
const maxWaiting = 5_000;
/** So many notifications are told that one poll was passed on for all of them. */
const maxTrapIds = 1_000;
const timeoutMs = 5_000;

/** Notifications that ask for the same. The owner is told the id of the first one. */
interface WaitingAim {
  readonly text: string;
  readonly poll: readonly string[];
  readonly trapIds: string[];
}

/** Lets the owner of a device poll what a notification names: without a cluster this process, otherwise perhaps another one. */
export class OwnerAims {
  readonly #parts: OwnerAimsParts;
  /** By owner, and by what is asked. */
  readonly #waiting = new Map<string, Map<string, WaitingAim>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor(parts: OwnerAimsParts) {
    this.#parts = parts;
  }

  add(trap: AimingTrap): void {
    const { shards, aimed } = this.#parts;
    const { device } = trap.subject;
    const { definition, named, pointed } = trap.decoded;
    if (device === undefined || definition?.aim === undefined || this.#isClosed) return;
    const { ip, port } = device.ref;
    const shard = shardOf(device.ref);
    if (shards.fleet === undefined || shards.owns(shard)) {
      aimed.add(trap);
      return;
    }
    const owner = shards.fleet.ownerOf(shard);
    const { trapId, name } = trap.summary;
    const { poll, rediscover } = definition.aim;
    if (owner === undefined) {
      aimed.skip([trapId], poll);
      return;
    }
    const rows = {
      named: named.slice(0, maxRows).map(pickRow),
      pointed: pointed.slice(0, maxRows).map(pickRow),
    };
    const asked = { ip, port, name, rediscover, poll: [...poll], ...rows };
    this.#wait(owner, { trapId, asked });
  }

  /** What another process received. A device that has left this process is skipped: nobody asks it twice. */
  take({ ip, port, trapId, name, poll, rediscover, named, pointed }: PassedAim): void {
    const { shards, aimed, findDevice } = this.#parts;
    const device = findDevice({ ip, port });
    if (device === undefined || !shards.owns(shardOf(device.ref))) aimed.skip([trapId], poll);
    else
      aimed.add({
        summary: { trapId, name },
        decoded: { definition: { aim: { poll, rediscover } }, named, pointed },
        subject: { device },
      });
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #wait(
    owner: string,
    { trapId, asked }: { readonly trapId: string; readonly asked: Omit<PassedAim, 'trapId'> },
  ): void {
    const waiting = this.#waiting.get(owner) ?? new Map<string, WaitingAim>();
    this.#waiting.set(owner, waiting);
    const key = JSON.stringify(asked);
    const same = waiting.get(key);
    if (same !== undefined) {
      if (same.trapIds.length < maxTrapIds) same.trapIds.push(trapId);
      return;
    }
    if (waiting.size >= maxWaiting) {
      this.#parts.aimed.skip([trapId], asked.poll);
      return;
    }
    waiting.set(key, { text: JSON.stringify({ trapId, ...asked }), poll: asked.poll, trapIds: [trapId] });
    if (!this.#timers.has(owner)) this.#sendAfter(gatherMs, owner);
  }

  #sendAfter(ms: number, owner: string): void {
    this.#timers.set(
      owner,
      setTimeout(() => void this.#send(owner), ms),
    );
  }

  async #send(owner: string): Promise<void> {
    const aims = this.#takeFitting(owner);
    if (aims.length === 0) {
      this.#timers.delete(owner);
      return;
    }
    const { aimed, log, onPassed } = this.#parts;
    try {
      await this.#ask(owner, `{"aims":[${aims.map(({ text }) => text).join()}]}`);
      for (const { trapIds, poll } of aims)
        onPassed(trapIds, { timeMs: Date.now(), outcome: 'passed', objects: poll });
    } catch (error) {
      log.warn(
        { member: owner, notifications: aims.length, error },
        'The owner of devices did not take what notifications name. Its devices are polled by their schedule.',
      );
      for (const { trapIds, poll } of aims) aimed.skip(trapIds, poll);
    }
    if (!this.#isClosed) this.#sendAfter(restMs, owner);
  }

  /** As many as fit into one body, the oldest first. */
  #takeFitting(owner: string): readonly WaitingAim[] {
    const aims: WaitingAim[] = [];
    let bytes = 0;
    const waiting = this.#waiting.get(owner);
    for (const [key, aim] of waiting ?? []) {
      bytes += Buffer.byteLength(aim.text) + 1;
      if (bytes > maxBodyBytes && aims.length > 0) break;
      aims.push(aim);
      waiting!.delete(key);
    }
    if (waiting?.size === 0) this.#waiting.delete(owner);
    return aims;
  }

  async #ask(owner: string, body: string): Promise<void> {
    const { fleet } = this.#parts.shards;
    const member = fleet?.members.get(owner);
    if (member === undefined || fleet?.requests === undefined) throw new Error('it cannot be asked');
    const { status, body: answer } = await fleet.requests.ask(member, {
      method: 'POST',
      path: aimPath,
      headers: { 'content-type': 'application/json' },
      body,
      timeoutMs,
    });
    answer.resume();
    if (status !== 200) throw new Error(`it answered with status ${status}`);
  }
}

/** Its other properties are not for the owner. */
function pickRow({ object, table, instance }: PassedAim['named'][number]): PassedAim['named'][number] {
  return { object, table, instance };
}
