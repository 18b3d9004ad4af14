import { toSafeName } from '../../../src/internal.ts';

/** A name for a device that calls itself `wished`: harmless, and one that no other device has. */
export function findFreeName(
  wished: string,
  { ip, port }: { readonly ip: string; readonly port: number },
  isTaken: (name: string) => boolean,
): string {
  for (const name of listNames(toSafeName(wished), `${toSafeName(ip)}-${port}`, toSafeName(ip))) {
    if (!isTaken(name)) return name;
  }
  throw new Error('unreachable: the list of names has no end');
}

function* listNames(wished: string, addressAndPort: string, address: string): Generator<string> {
  const begin = wished === '' ? '' : `${wished}-`;
  yield wished === '' ? address : wished;
  yield `${begin}${address}`;
  yield `${begin}${addressAndPort}`;
  for (let number = 2; ; number++) yield `${begin}${addressAndPort}-${number}`;
}
