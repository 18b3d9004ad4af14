/** Compiled by `npm run types`; every error that is expected here must be one. */
import {
  type Batch,
  defineOutput,
  definePlugin,
  defineProcessor,
  type Secret,
  secretOption,
  serviceToken,
  Type,
} from '../../src/index.ts';

interface Clock {
  now(): number;
}

const clock = serviceToken<Clock>('clock');
const options = Type.Object({
  port: Type.Integer({ default: 1, description: 'p' }),
  token: secretOption({ description: 't' }),
  name: Type.Optional(Type.String({ description: 'n' })),
});
const base = { name: 'x', kind: 'service', summary: 'X.' } as const;

/** Is `A` exactly `B`? Written so that `any` is equal to nothing but itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expectSame<A, B>(same: Same<A, B>): void;

export const inferred = definePlugin({
  ...base,
  options,
  needs: { clock },
  start({ options: given, needs, events, signal, onStop, name }) {
    expectSame<typeof given.port, number>(true);
    expectSame<typeof given.token, Secret>(true);
    expectSame<typeof given.name, string | undefined>(true);
    expectSame<typeof needs.clock, Clock>(true);
    expectSame<typeof signal, AbortSignal>(true);
    expectSame<typeof name, string>(true);
    events.on('device.state', ({ device, to }) => {
      expectSame<typeof device.port, number>(true);
      expectSame<typeof to, 'unknown' | 'up' | 'suspect' | 'down' | 'recovering'>(true);
    });
    onStop(async () => {});

    // @ts-expect-error a need that was not declared
    needs.pipeline;
    // @ts-expect-error an option that the schema does not have
    given.prot;
    // @ts-expect-error an option of another type
    given.port.trim();
    // @ts-expect-error a secret is not a string
    given.token.length;
    // @ts-expect-error a method that the service does not have
    needs.clock.later();
    // @ts-expect-error an event that does not exist
    events.on('device.exploded', () => {});
    // @ts-expect-error a payload that lacks its device
    events.emit('device.added', { cause: 'x' });
    // @ts-expect-error a payload of another type
    events.emit('collector.stopping', { why: 5 });
    // @ts-expect-error a listener for another payload
    events.on('collector.stopping', (payload: { readonly why: number }) => payload);
    // @ts-expect-error an undo step must be a function
    onStop('close');
  },
});

export const provides = definePlugin({ ...base, provides: clock, start: () => ({ now: () => 1 }) });
export const providesLater = definePlugin({
  ...base,
  provides: clock,
  start: async () => ({ now: () => 1 }),
});

// @ts-expect-error start returns another service than the token's
export const wrongReturn = definePlugin({ ...base, provides: clock, start: () => ({ now: () => 'noon' }) });

// @ts-expect-error start returns nothing, but the token has a service
export const missingReturn = definePlugin({ ...base, provides: clock, start() {} });

// @ts-expect-error a promise of the wrong service
export const wrongLater = definePlugin({ ...base, provides: clock, start: async () => ({}) });

// @ts-expect-error a kind that does not exist
export const wrongKind = definePlugin({ ...base, kind: 'gadget', start() {} });

// @ts-expect-error a summary is required
export const noSummary = definePlugin({ name: 'x', kind: 'service', start() {} });

export const output = defineOutput({
  name: 'x',
  summary: 'X.',
  options,
  open({ options: given, log }) {
    expectSame<typeof given.port, number>(true);
    // @ts-expect-error delivery settings belong to the operator
    given.delivery;
    log.info('open');
    return {
      async write(batches, { signal }) {
        expectSame<typeof batches, readonly Batch[]>(true);
        expectSame<typeof signal, AbortSignal>(true);
        // @ts-expect-error batches are read-only
        batches.pop();
        // @ts-expect-error the parts of batches are read-only
        batches[0]!.record = 'x';
      },
    };
  },
});

// @ts-expect-error an output must be able to write
export const noWrite = defineOutput({ name: 'x', summary: 'X.', open: () => ({}) });

export const processor = defineProcessor({
  name: 'x',
  summary: 'X.',
  options,
  open:
    ({ options: given }) =>
    (batch) => {
      expectSame<typeof given.port, number>(true);
      expectSame<typeof batch, Batch>(true);
      return given.port > 1 ? [batch, batch] : undefined;
    },
});

// @ts-expect-error a processor is synchronous: it must not return a promise
export const slow = defineProcessor({ name: 'x', summary: 'X.', open: () => async (batch) => batch });
