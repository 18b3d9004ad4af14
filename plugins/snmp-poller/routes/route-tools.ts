import type { DevicePath } from '../../../src/http/index.ts';
import { type Static, type TSchema, Type } from '../../../src/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { Poller } from '../service.ts';

/** What the poller's routes use. */
export interface RouteTools {
  readonly poller: Poller;
  /** Whether the current definitions have an object with this id. */
  readonly isObject: (id: string) => boolean;
  /** Throws the HTTP problem when there is no such device. */
  readonly find: (path: DevicePath) => Device;
}

/** An optional property whose value may also be undefined, so that an answer can be written without conditions. */
export function optionalField<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Unsafe<Static<Schema> | undefined>(schema));
}
