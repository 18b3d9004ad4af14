import { type Static, type TSchema, Type } from '../../../src/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { Poller } from '../service.ts';

/** What the poller's routes work with. */
export interface RouteTools {
  readonly poller: Poller;
  /** Whether the definitions of now have an object of this id. */
  readonly isObject: (id: string) => boolean;
  /** Throws the problem to answer with when there is none. */
  readonly find: (address: { readonly ip: string; readonly port: string }) => Device;
}

/** An optional property whose value may also be undefined, so that an answer can be written without conditions. */
export function optionalField<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Unsafe<Static<Schema> | undefined>(schema));
}
