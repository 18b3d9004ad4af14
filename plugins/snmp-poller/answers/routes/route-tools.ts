import type { Device } from '../../../device-registry/service.ts';
import type { Poller } from '../../service.ts';

/** What the poller's routes work with. */
export interface RouteTools {
  readonly poller: Poller;
  /** Whether the definitions of now have an object of this id. */
  readonly isObject: (id: string) => boolean;
  /** Throws the problem to answer with when there is none. */
  readonly find: (address: { readonly ip: string; readonly port: string }) => Device;
}
