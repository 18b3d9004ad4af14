import { type ServiceToken, serviceToken } from '../../src/index.ts';

/** Where the HTTP API is. */
export interface HttpApi {
  /** Without a slash at the end: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
}

export const httpApiToken: ServiceToken<HttpApi> = serviceToken<HttpApi>('http-api');

/** For routes of other plugins that are about one device: `/api/v1/snmp/devices/:ip/:port/…`. */
export { findAddressedDevice } from './routes/find-device.ts';
export { deviceAddressSchema } from './schemas/device.ts';
export { deviceRefSchema } from './schemas/device-ref.ts';
export { listOf } from './schemas/list-of.ts';
