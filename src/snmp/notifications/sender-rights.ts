import { timingSafeEqual } from 'node:crypto';
import { type AddressRange, containsRange, parseAddress } from '../../model/address-range.ts';
import { type SecurityLevel, type SecurityLevelName, securityLevel } from '../usm/user/security-level.ts';
import type { NotificationVersion } from './notification.ts';

/** What one group of senders may use. */
export interface SenderCredentials {
  readonly versions: readonly NotificationVersion[];
  /** Absent: any community. */
  readonly communities?: readonly string[] | undefined;
  /** Keys of users. Absent: all of them. */
  readonly users?: readonly string[] | undefined;
}

/** Networks that may send notifications. */
export interface SenderRule extends SenderCredentials {
  readonly name: string;
  readonly from: readonly AddressRange[];
  /** Holds for all who send from these networks; noAuthNoPriv by default. */
  readonly minLevel?: SecurityLevelName | undefined;
}

/** Who may send. All others may not. */
export interface NotificationRights {
  /** The first one whose networks contain the source counts. */
  readonly senders: readonly SenderRule[];
  /** The credentials of single addresses, which are valid beside those of the sender. */
  readonly devices?: ReadonlyMap<string, SenderCredentials> | undefined;
}

/** What one source may use. */
export interface SourceRights {
  readonly rules: readonly SourceRule[];
  readonly minLevel: SecurityLevel;
}

interface SourceRule {
  readonly versions: readonly NotificationVersion[];
  readonly communities: readonly Buffer[] | undefined;
  readonly users: readonly string[] | undefined;
}

/** Undefined when nobody may send from this address. */
export function findRights(rights: NotificationRights, address: string): SourceRights | undefined {
  const range = parseAddress(address.split('%')[0]!);
  const sender =
    range && rights.senders.find(({ from }) => from.some((network) => containsRange(network, range)));
  const allowed = [rights.devices?.get(address), sender].filter((rule) => rule !== undefined);
  if (allowed.length === 0) return undefined;
  return {
    rules: allowed.map(({ versions, communities, users }) => ({
      versions,
      communities: communities?.map((text) => Buffer.from(text)),
      users,
    })),
    minLevel: securityLevel[sender?.minLevel ?? 'noAuthNoPriv'],
  };
}

export function allowsVersion({ rules }: SourceRights, version: NotificationVersion): boolean {
  return rules.some(({ versions }) => versions.includes(version));
}

/** Compares with every community, so that the time says nothing about which one was nearly right. */
export function allowsCommunity(
  { rules }: SourceRights,
  version: NotificationVersion,
  community: Buffer,
): boolean {
  let isAllowed = false;
  for (const { versions, communities } of rules) {
    if (!versions.includes(version)) continue;
    if (communities === undefined) isAllowed = true;
    for (const known of communities ?? []) {
      if (known.length === community.length && timingSafeEqual(known, community)) isAllowed = true;
    }
  }
  return isAllowed;
}

export function allowsUser({ rules }: SourceRights, key: string): boolean {
  return rules.some(
    ({ versions, users }) => versions.includes('3') && (users === undefined || users.includes(key)),
  );
}
