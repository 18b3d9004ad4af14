import { type ServiceToken, serviceToken } from '../../src/index.ts';

/** The address of the HTTP API. */
export interface HttpApi {
  /** Without a slash at the end: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
}

export const httpApiToken: ServiceToken<HttpApi> = serviceToken<HttpApi>('http-api');
