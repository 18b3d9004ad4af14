/**
 * A service for a plugin that is not built in: it can be used, but its methods cannot be replaced, because other plugins use the same
 * object. A frozen service needs no lock. With `replaced`, some methods and properties are others, for `viewFor` of a plugin.
 */
export function lockService<Service>(service: Service, replaced: Partial<Service> = {}): Service {
  if (typeof service !== 'object' || service === null || Object.isFrozen(service)) return service;
  const methods = new Map<unknown, unknown>();
  return new Proxy<Service & object>(service, {
    get(target, key) {
      if (key in replaced) return replaced[key as keyof Service];
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      // Bound, because private members exist on the service itself only.
      if (!methods.has(value)) methods.set(value, (value as () => unknown).bind(target));
      return methods.get(value);
    },
    set: refuseChange,
    defineProperty: refuseChange,
    deleteProperty: refuseChange,
    setPrototypeOf: refuseChange,
    preventExtensions: refuseChange,
  });
}

function refuseChange(_: object, key?: unknown): never {
  const what = typeof key === 'string' ? `"${key}" of a service` : 'A service';
  throw new TypeError(`${what} is shared with other plugins and cannot be changed.`);
}
