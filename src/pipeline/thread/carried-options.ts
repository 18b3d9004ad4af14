import { Secret } from '../../kernel/secrets.ts';

const secretKey = '\u0000secret';

/** Options as they can be sent to another thread of this process: secrets by their values. */
export function carryOptions(options: unknown): unknown {
  return mapTree(options, (value) => (value instanceof Secret ? { [secretKey]: value.reveal() } : undefined));
}

/** The options again, frozen, with their secrets as such. */
export function reviveOptions(carried: unknown): unknown {
  return mapTree(carried, (value) => {
    const secret = (value as Readonly<Record<string, unknown>>)[secretKey];
    return typeof secret === 'string' ? new Secret(secret) : undefined;
  });
}

/** A copy of the tree, with what `replace` answers in the place of an object. */
function mapTree(value: unknown, replace: (value: object) => object | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) return Object.freeze(value.map((each) => mapTree(each, replace)));
  const entries = Object.entries(value).map(([key, each]) => [key, mapTree(each, replace)] as const);
  return Object.freeze(Object.fromEntries(entries));
}
