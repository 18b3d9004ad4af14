import { deviceRefSchema, listOf } from '../../../src/http/index.ts';
import { type Oid, type Static, Type } from '../../../src/index.ts';
import { deviceStates } from '../../../src/model/index.ts';
import type { Device } from '../../device-registry/service.ts';
import { groupsOf } from './groups-of.ts';
import { vendorOf } from './vendors.ts';

export const deviceStateSchema = Type.Unsafe<(typeof deviceStates)[number]>(
  Type.String({ title: 'DeviceState', enum: [...deviceStates] }),
);

/** A device, as it appears in lists. */
export const deviceSummarySchema = Type.Composite(
  [
    deviceRefSchema,
    Type.Object({
      state: deviceStateSchema,
      since: Type.String({ format: 'date-time' }),
      why: Type.String({ description: 'why the device is in this state' }),
      enabled: Type.Boolean(),
      deviceGroups: listOf(Type.String()),
      vendor: Type.Optional(
        Type.String({ description: 'the maker, by its sysObjectID; absent before the first discovery' }),
      ),
      tags: Type.Record(Type.String(), Type.String()),
    }),
  ],
  { title: 'Device' },
);

/** What a discovery found. */
interface Found {
  readonly deviceGroups: readonly string[];
  readonly sysObjectId?: Oid | undefined;
}

/** Describes a device, as it appears in lists. */
export function summarizeDevice(
  device: Device,
  inventory: Found | undefined,
  isoTime = createIsoTime(),
): Static<typeof deviceSummarySchema> {
  const { ref, settings, status } = device;
  const vendor = vendorOf(inventory?.sysObjectId);
  return {
    name: ref.name,
    ip: ref.ip,
    port: ref.port,
    state: status.state,
    since: isoTime(status.sinceMs),
    why: status.why,
    enabled: settings.enabled !== false,
    deviceGroups: groupsOf(device, inventory),
    ...(vendor === undefined ? {} : { vendor }),
    tags: settings.tags ?? noTags,
  };
}

const noTags = Object.freeze({});

/** The settings without secrets, and the names of SNMPv3 users. A setting that is not listed here is not shown. */
export function showSettings({ settings, settingOrigins }: Device): Record<string, ShownSetting> {
  const shown: Record<string, ShownSetting> = {};
  for (const key of openSettings) {
    const value = settings[key];
    if (value !== undefined) shown[key] = { value, origin: settingOrigins[key] ?? 'built-in' };
  }
  const { communities, v3_credentials: users } = settings;
  if (communities !== undefined) {
    shown['communities'] = {
      value: communities.map(() => '***'),
      origin: settingOrigins['communities'] ?? 'built-in',
    };
  }
  if (users !== undefined) {
    const names = users.map(({ username }) => username);
    shown['v3_users'] = { value: names, origin: settingOrigins['v3_credentials'] ?? 'built-in' };
  }
  return shown;
}

interface ShownSetting {
  readonly value: unknown;
  readonly origin: Device['settingOrigins'][string];
}

const openSettings = [
  'version',
  'device_groups',
  'poll_interval',
  'poll_intervals',
  'timeout',
  'retries',
  'exponential_timeout',
  'max_oids',
  'max_repetitions',
  'max_concurrent_polls',
  'cisco_qos_enabled',
  'context',
  'contexts',
  'tags',
  'enabled',
  'transport',
  'reply_from',
] as const;

/** Formats times in ISO 8601. Formatting costs more than the rest of a device, and many devices in a row have the same time. */
export function createIsoTime(): (ms: number) => string {
  let lastMs = Number.NaN;
  let lastText = '';
  return (ms) => {
    if (ms !== lastMs) {
      lastText = new Date(ms).toISOString();
      lastMs = ms;
    }
    return lastText;
  };
}
