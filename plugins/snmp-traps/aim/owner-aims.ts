import { type DeviceIdentity, type Logger, Type } from '../../../src/index.ts';
import { type Shards, shardOf } from '../../../src/internal.ts';
import type { Device } from '../../device-registry/service.ts';
import type { TrapPoll } from '../record/trap-log.ts';
import type { AimedPolls, AimingTrap } from './aimed-polls.ts';

export const aimPath = '/api/v1/snmp/traps/aim';

const text = Type.String({ maxLength: 1_000 });
const row = Type.Object({ object: text, table: text, instance: text });

/** What the owner of a device has to know of a notification that another process received. */
export const passedAims = Type.Object(
  {
    aims: Type.Array(
      Type.Object(
        {
          ip: text,
          port: Type.Integer(),
          trapId: text,
          name: text,
          poll: Type.Array(text, { maxItems: 100 }),
          rediscover: Type.Boolean(),
          named: Type.Array(row, { maxItems: 1_000 }),
          pointed: Type.Array(row, { maxItems: 1_000 }),
        },
        { title: 'PassedAim', additionalProperties: false },
      ),
      { maxItems: 500 },
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

/** Those that come within this time go together. */
const gatherMs = 100;
const maxAtOnce = 500;
/** For one owner. What comes beyond that is skipped: its devices are asked by their schedule. */
const maxWaiting = 5_000;
const timeoutMs = 5_000;

/** Lets the owner of a device poll what a notification names: without a cluster this process, otherwise perhaps another one. */
export class OwnerAims {
  readonly #parts: OwnerAimsParts;
  readonly #waiting = new Map<string, PassedAim[]>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(parts: OwnerAimsParts) {
    this.#parts = parts;
  }

  add(trap: AimingTrap): void {
    const { shards, aimed } = this.#parts;
    const { device } = trap.subject;
    const { definition, named, pointed } = trap.decoded;
    if (device === undefined || definition?.aim === undefined) return;
    const { ref } = device;
    if (shards.fleet === undefined || shards.owns(shardOf(ref))) {
      aimed.add(trap);
      return;
    }
    const owner = shards.fleet.ownerOf(shardOf(ref));
    const { trapId, name } = trap.summary;
    const { poll, rediscover } = definition.aim;
    const waiting = owner === undefined ? undefined : this.#waitingFor(owner);
    if (waiting === undefined || waiting.length >= maxWaiting) {
      aimed.skip([trapId], poll);
      return;
    }
    const { ip, port } = ref;
    waiting.push({
      ip,
      port,
      trapId,
      name,
      rediscover,
      poll: [...poll],
      named: named.map(pickRow),
      pointed: pointed.map(pickRow),
    });
    this.#sendLater(owner!);
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
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #waitingFor(owner: string): PassedAim[] {
    const waiting = this.#waiting.get(owner) ?? [];
    this.#waiting.set(owner, waiting);
    return waiting;
  }

  #sendLater(owner: string): void {
    if (!this.#timers.has(owner))
      this.#timers.set(
        owner,
        setTimeout(() => void this.#send(owner), gatherMs),
      );
  }

  async #send(owner: string): Promise<void> {
    const { shards, aimed, log, onPassed } = this.#parts;
    const aims = this.#waiting.get(owner)?.splice(0, maxAtOnce) ?? [];
    try {
      const member = shards.fleet?.members.get(owner);
      if (member === undefined || shards.fleet?.requests === undefined) throw new Error('it cannot be asked');
      const answer = await shards.fleet.requests.ask(member, {
        method: 'POST',
        path: aimPath,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ aims }),
        timeoutMs,
      });
      answer.body.resume();
      if (answer.status !== 200) throw new Error(`it answered with status ${answer.status}`);
      for (const { trapId, poll } of aims)
        onPassed([trapId], { timeMs: Date.now(), outcome: 'passed', objects: poll });
    } catch (error) {
      log.warn(
        { member: owner, notifications: aims.length, error },
        'The owner of devices did not take what notifications name. Its devices are polled by their schedule.',
      );
      for (const { trapId, poll } of aims) aimed.skip([trapId], poll);
    }
    this.#timers.delete(owner);
    if ((this.#waiting.get(owner)?.length ?? 0) > 0) this.#sendLater(owner);
    else this.#waiting.delete(owner);
  }
}

function pickRow({ object, table, instance }: PassedAim['named'][number]): PassedAim['named'][number] {
  return { object, table, instance };
}
