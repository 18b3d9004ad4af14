import type { UserTarget } from '../../../snmp/index.ts';

type User = UserTarget['user'];
type AuthName = NonNullable<User['authProtocol']>;
type PrivName = NonNullable<User['privProtocol']>;

/** The protocol that net-snmp's spelling names, such as `SHA-256`, `sha256` or `AES-192-C`; undefined for none. */
export function findAuthProtocol(spelling: string): AuthName | undefined {
  return authByName.get(simplify(spelling));
}

export function findPrivProtocol(spelling: string): PrivName | undefined {
  return privByName.get(simplify(spelling));
}

const authByName: ReadonlyMap<string, AuthName> = new Map([
  ['md5', 'md5'],
  ['sha', 'sha'],
  ['sha1', 'sha'],
  ['sha224', 'sha224'],
  ['sha256', 'sha256'],
  ['sha384', 'sha384'],
  ['sha512', 'sha512'],
]);

const privByName: ReadonlyMap<string, PrivName> = new Map([
  ['des', 'des'],
  ['aes', 'aes'],
  ['aes128', 'aes'],
  ['aes192', 'aes192'],
  ['aes256', 'aes256'],
  ['aes192c', 'aes192c'],
  ['aes256c', 'aes256c'],
]);

function simplify(spelling: string): string {
  return spelling.toLowerCase().replaceAll('-', '');
}
