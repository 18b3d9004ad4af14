import fc from 'fast-check';
import type { Operation, Parameter } from './description.ts';

export const callers = ['read', 'operate', 'admin', 'person', 'expired', 'mistaken', 'nobody'] as const;
export type CallerName = (typeof callers)[number];

export interface GeneratedRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly who: CallerName;
  readonly host: string;
  readonly origin: string | undefined;
  readonly type: string;
  readonly body: string | undefined;
}

/** Larger than the limit of the test collector. */
export const oversized = JSON.stringify({ name: 'x'.repeat(5000) });

/** Requests to every operation: valid by the description, nearly valid, and invalid. */
export function arbitraryRequest(
  operations: readonly Operation[],
  values: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<GeneratedRequest> {
  const writing = operations.filter(({ method }) => method !== 'GET');
  return fc.constantFrom(...operations, ...writing).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      method: mostly(
        fc.constant(operation.method),
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      ),
      path: arbitraryPath(operation, values),
      who: fc.constantFrom<CallerName>('admin', 'admin', 'admin', 'operate', 'operate', ...callers),
      host: mostly(
        fc.constant('localhost'),
        fc.constantFrom('evil.example', '127.0.0.1.evil.example', 'x'.repeat(300)),
      ),
      origin: mostly(fc.constant(undefined), fc.constantFrom('https://evil.example', 'null')),
      type: mostly(
        fc.constant('application/json'),
        fc.constantFrom(
          'text/plain',
          'application/xml',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          '',
        ),
      ),
      body: operation.method === 'GET' ? fc.constant(undefined) : arbitraryBody(operation, values),
    }),
  );
}

function mostly<Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: rare, weight: 1 });
}

const hostileText = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '..',
    '../../etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    '\u0000',
    '\r\nx: y',
    "'; --",
    '<script>',
    '${env:HOME}',
    '9'.repeat(30),
    'x'.repeat(600),
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

function arbitraryPath(
  { path, parameters }: Operation,
  values: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<string> {
  const places = parameters.filter((each) => each.in !== 'header');
  const texts = fc.tuple(...places.map((place) => fc.option(arbitraryValue(place, values), { freq: 3 })));
  const extra = mostly(fc.constant(undefined), fc.tuple(hostileText, hostileText));
  return fc.tuple(texts, extra).map(([chosen, more]) => {
    let address = path;
    const query = new URLSearchParams(more === undefined ? [] : [more]);
    for (const [index, place] of places.entries()) {
      const text = chosen[index] ?? undefined;
      if (place.in === 'path')
        address = address.replace(`{${place.name}}`, () => encodeURIComponent(text || 'x'));
      else if (text !== undefined) query.set(place.name, text);
    }
    return query.size === 0 ? address : `${address}?${query}`;
  });
}

function arbitraryValue(
  { name, schema }: Parameter,
  values: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<string> {
  const usual =
    values[name] ??
    schema.enum ??
    (schema.type === 'boolean'
      ? ['true', 'false']
      : schema.type === 'integer'
        ? ['1', '2', '50']
        : ['a', 'switch']);
  return mostly(fc.constantFrom(...usual), hostileText);
}

function arbitraryBody(
  { bodies }: Operation,
  values: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<string | undefined> {
  if (bodies === undefined)
    return mostly(fc.constant(undefined), fc.constantFrom('', '{}', '{"a":1}', oversized));
  const value = fc.oneof(
    hostileText,
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.constantFrom(null, true, [], {}, [[]]),
  );
  const examples = bodies.filter((body): body is object => typeof body === 'object' && body !== null);
  const known = mostly(fc.constantFrom(...examples, ...(examples.length === 0 ? [{}] : [])), fc.constant({}));
  const place = fc.record({
    ip: fc.constantFrom(...values['ip']!),
    port: fc.constantFrom(...values['port']!.map(Number), 161),
  });
  const near = fc
    .tuple(
      known,
      place,
      fc.option(
        fc.tuple(
          fc.constantFrom('ip', 'port', 'name', 'isOn', 'retries', 'tags', '__proto__', 'v3_credentials'),
          value,
        ),
        { freq: 1 },
      ),
    )
    .map(([body, { ip, port }, change]) => {
      const changed = [
        ...Object.entries({
          ...body,
          ...('ip' in body ? { ip, port } : {}),
          ...('tags' in body ? { enabled: false } : {}),
        }),
        ...(change === null ? [] : [change]),
      ];
      return `{${changed.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join(',')}}`;
    });
  return fc.oneof(
    { arbitrary: near, weight: 8 },
    { arbitrary: fc.json(), weight: 1 },
    { arbitrary: fc.constantFrom('', '{', 'null', '[]', '{"a":1,"a":2}'), weight: 1 },
    // Often enough that 2000 requests always include some that reach the limit of the body.
    { arbitrary: fc.constant(oversized), weight: 1 },
  );
}
