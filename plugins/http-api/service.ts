import { type ServiceToken, serviceToken } from '../../src/index.ts';

/** Where the HTTP API is. */
export interface HttpApi {
  /** Without a slash at the end: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
}

export const httpApiToken: ServiceToken<HttpApi> = serviceToken<HttpApi>('http-api');
