import { env } from 'node:process';
import { parseNetwork } from '../../src/model/address-range.ts';
import { NotificationReceiver, type ReceiverOptions } from '../../src/snmp/index.ts';
import { asksForV3, parseCredentials } from '../snmp/options/credentials.ts';
import type { RequestOptions } from '../snmp/options/request-options.ts';

const everywhere = ['0.0.0.0/0', '::/0'].map((network) => parseNetwork(network)!);
/** These commands show what comes: nothing is limited. */
const unlimited = 1_000_000_000;

/** A receiver for everyone with any community, or that of -c, and for the user of -u. */
export function openReceiver(
  options: RequestOptions,
  rest: Omit<ReceiverOptions, 'rights' | 'users' | 'limits'>,
): NotificationReceiver {
  const credentials = asksForV3(options) ? parseCredentials({ ...options, v: '3' }, env) : undefined;
  const settings = credentials?.version === '3' ? credentials.user : undefined;
  const community = options.c && parseCredentials({ c: options.c, v: '2c' }, env);
  const communities = community && community.version !== '3' ? [community.community] : undefined;
  return new NotificationReceiver({
    ...rest,
    rights: {
      senders: [{ name: 'everyone', from: everywhere, versions: ['1', '2c', '3'], communities }],
    },
    users: settings === undefined ? [] : [{ key: settings.name, settings }],
    limits: { sourcePerSecond: unlimited, sourceBurst: unlimited },
    engines: { newPerSecond: unlimited },
  });
}
