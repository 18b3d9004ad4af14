/**
 * Names a service and carries its type, so that a plugin that `needs` the token receives a value of that type.
 * Tokens are compared by name: two copies of a package still mean the same service.
 */
export interface ServiceToken<Service> {
  readonly name: string;
  /** Exists for the compiler only; no token has it at run time. */
  readonly __service?: (service: Service) => Service;
}

// biome-ignore lint/suspicious/noExplicitAny: tokens of every service must fit one bound
export type AnyServiceToken = ServiceToken<any>;

export type ServiceOf<Token> = Token extends ServiceToken<infer Service> ? Service : never;

/** Makes a token, named after its plugin. Call it once, in a file that the provider and the users of the service import. */
export function serviceToken<Service>(name: string): ServiceToken<Service> {
  return Object.freeze({ name });
}
