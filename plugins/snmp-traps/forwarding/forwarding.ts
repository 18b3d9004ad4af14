import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Severity, severities } from '../../../src/definitions/index.ts';
import { canonicalAddress, isLoopback } from '../../../src/model/index.ts';
import type { ListenAddress, Target, UserSettings } from '../../../src/snmp/index.ts';
import { trapFailure } from '../errors.ts';
import type { TrapOptions } from '../options.ts';
import type { ReceivedNotification } from '../receiving/wire-form.ts';
import type { TrapSummary } from '../record/trap-record.ts';
import { findFault, settingsOf } from '../senders/trap-user.ts';
import { CircleGuard } from './circle-guard.ts';
import { type ForwardSettings, ForwardTarget, newForwardCounts } from './forward-target.ts';

type ForwardOption = TrapOptions['forward'][number];

interface ForwardingParts {
  readonly plugin: string;
  readonly options: Pick<TrapOptions, 'forward' | 'users'>;
  readonly engine: ForwardSettings['engine'];
}

/** RFC 3584 leaves it to the sender: five tries within 47 seconds. */
const informTiming = { timeoutMs: 1_500, retries: 4, exponentialTimeout: true } as const;

/** Copies accepted notifications to other receivers. */
export class Forwarding {
  readonly counts = newForwardCounts();
  readonly #parts: ForwardingParts;
  readonly #targets: readonly ForwardTarget[];
  readonly #circles = new CircleGuard();

  /** Throws TRAP_FORWARD_INVALID. */
  constructor(parts: ForwardingParts) {
    const { plugin, options, engine } = parts;
    this.#parts = parts;
    this.#targets = options.forward.map((option) => {
      const target = targetOf(plugin, option, options.users);
      const settings = {
        target,
        engine,
        isVerbatim: option.as === 'verbatim',
        isInform: option.inform,
        severities: severitiesFrom(option.severity),
        names: option.names.map(patternOf),
      };
      return new ForwardTarget(settings, this.counts);
    });
  }

  /** Throws TRAP_FORWARD_LOOP. `listeners`: where this collector receives, with the ports that the system chose. */
  refuseLoops(listeners: readonly ListenAddress[]): void {
    const { plugin, options } = this.#parts;
    for (const option of options.forward)
      refuseLoop(plugin, option, targetOf(plugin, option, options.users), listeners);
  }

  /** Secrets have changed. Returns why they cannot be used; their targets stay as they are. */
  renew(): readonly unknown[] {
    const { plugin, options } = this.#parts;
    return options.forward.flatMap((option, position) => {
      try {
        this.#targets[position]?.useTarget(targetOf(plugin, option, options.users));
        return [];
      } catch (error) {
        return [error];
      }
    });
  }

  add({ name, severity }: TrapSummary, received: ReceivedNotification): void {
    const targets = this.#targets.filter((target) => target.wants(name, severity));
    if (targets.length === 0) return;
    if (this.#circles.hasCome(received, performance.now())) this.counts.returned += targets.length;
    else for (const target of targets) target.add(received);
  }

  close(): void {
    for (const target of this.#targets) target.close();
  }
}

/** Checks without opening anything. Throws TRAP_FORWARD_LOOP and TRAP_FORWARD_INVALID. */
export function checkForward(
  plugin: string,
  options: Pick<TrapOptions, 'forward' | 'users' | 'listen'>,
): void {
  const listeners = options.listen.flatMap(({ address, port }) =>
    address === undefined || port === undefined ? [] : [{ address, port }],
  );
  for (const option of options.forward)
    refuseLoop(plugin, option, targetOf(plugin, option, options.users), listeners);
}

function targetOf(plugin: string, option: ForwardOption, users: TrapOptions['users']): Target {
  const { name, to, as, inform, community, user } = option;
  const refuse = (reason: string) => trapFailure('TRAP_FORWARD_INVALID', { plugin, name, reason });
  const [, bracketed, plain, portText = '162'] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(to) ?? [];
  const address = canonicalAddress(bracketed ?? plain ?? to);
  const port = Number(portText);
  if (address === undefined || isIP(address.split('%')[0]!) === 0 || port < 1 || port > 65_535)
    throw refuse(`to is ${JSON.stringify(to)}: write an address and a port, such as 192.0.2.9:162`);
  const place = { address, port, ...informTiming };
  if (inform && (as === '1' || as === 'verbatim'))
    throw refuse(
      `inform needs as: 2c or as: 3, because informs do not exist in ${as === '1' ? 'SNMPv1' : 'copies'}`,
    );
  if (as === '3') {
    const found = users.find(({ username }) => username === user);
    if (found === undefined)
      throw refuse(user === undefined ? 'as: 3 needs a user' : `users has no user "${user}"`);
    const settings: UserSettings = settingsOf(found);
    const fault = findFault(settings);
    if (fault !== undefined) throw refuse(`its user cannot be used: ${fault}`);
    return { ...place, version: '3', user: settings };
  }
  if (community === undefined && as !== 'verbatim') throw refuse(`as: ${as} needs a community`);
  return { ...place, version: as === '1' ? '1' : '2c', community: community?.reveal() ?? '' };
}

/** A notification that comes back to this collector would go round without end. */
function refuseLoop(
  plugin: string,
  { name, to }: ForwardOption,
  { address, port }: Target,
  listeners: readonly ListenAddress[],
): void {
  const own = listeners.find(
    (listener) => listener.port === port && listener.port !== 0 && reaches(address, listener.address),
  );
  if (own !== undefined)
    throw trapFailure('TRAP_FORWARD_LOOP', { plugin, name, to, listener: `${own.address} port ${own.port}` });
}

/** Whether datagrams to `address` come to a listener on `listening`. */
function reaches(address: string, listening: string): boolean {
  const listener = canonicalAddress(listening) ?? listening;
  if (listener === address) return true;
  if (listener !== (address.includes(':') ? '::' : '0.0.0.0')) return false;
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return (
    address === listener ||
    isLoopback(address) ||
    own.some((each) => canonicalAddress(each.address) === address)
  );
}

function severitiesFrom(least: Severity): ReadonlySet<Severity> {
  return new Set(severities.slice(0, severities.indexOf(least) + 1));
}

/** `*` is any text. */
function patternOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
