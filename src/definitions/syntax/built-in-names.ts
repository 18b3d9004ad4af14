import { interfaceTypes } from './interface-types.ts';
import { ipProtocols } from './ip-protocols.ts';
import type { BuiltInNames } from './syntax.ts';

/** Names by number. */
export type NameTable = ReadonlyMap<number, string>;

/** The names that need no enum file: registries of IANA and textual conventions of RFC 4001. */
export const builtInNames: Readonly<Record<BuiltInNames, NameTable>> = {
  ifType: counted(interfaceTypes, 1),
  ipProtocol: counted(ipProtocols, 0),
  inetAddressType: new Map([
    [0, 'unknown'],
    [1, 'ipv4'],
    [2, 'ipv6'],
    [3, 'ipv4z'],
    [4, 'ipv6z'],
    [16, 'dns'],
  ]),
  inetVersion: new Map([
    [0, 'unknown'],
    [1, 'ipv4'],
    [2, 'ipv6'],
  ]),
  safi: new Map([
    [1, 'unicast'],
    [2, 'multicast'],
    [3, 'unicast-multicast'],
    [4, 'mpls-label'],
    [5, 'mcast-vpn'],
    [6, 'multi-segment-pseudowires'],
    [7, 'encapsulation'],
    [8, 'mcast-vpls'],
    [64, 'tunnel'],
    [65, 'vpls'],
    [66, 'mdt'],
    [67, '4over6'],
    [68, '6over4'],
    [69, 'l1vpn'],
    [70, 'evpn'],
    [71, 'link-state'],
    [72, 'link-state-vpn'],
    [73, 'sr-te-policy'],
    [128, 'mpls-vpn'],
    [129, 'mpls-vpn-multicast'],
    [132, 'route-target'],
    [133, 'flow-spec'],
    [134, 'flow-spec-vpn'],
    [140, 'vpn-auto-discovery'],
  ]),
};

/** A list of names separated by white space, counted from `first`; a hyphen leaves its number without a name. */
function counted(list: string, first: number): NameTable {
  const names = list.trim().split(/\s+/);
  return new Map(
    names.flatMap((name, position) => (name === '-' ? [] : [[first + position, name] as const])),
  );
}
