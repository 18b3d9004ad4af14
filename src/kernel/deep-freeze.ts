/**
 * Freezes a value with everything in it, and returns it. What is frozen already is taken to be frozen throughout, which makes a second
 * call cheap. Maps and sets refuse changes by their own methods. Other instances of classes and typed arrays stay as they are.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (!Array.isArray(value) && !isPlain(value)) return freezeCollection(value);
  Object.freeze(value);
  for (const key in value) {
    const item = value[key];
    if (typeof item === 'object') deepFreeze(item);
  }
  return value;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** `Object.freeze` does not protect the entries of a map or a set. The methods are not enumerable, so that a comparison ignores them. */
function freezeCollection<T extends object>(value: T): T {
  if (!(value instanceof Map || value instanceof Set)) return value;
  for (const method of ['set', 'add', 'delete', 'clear']) {
    if (method in value) Object.defineProperty(value, method, { value: refuseChange });
  }
  Object.freeze(value);
  for (const item of value.values()) deepFreeze(item);
  return value;
}

function refuseChange(): never {
  throw new TypeError('It is shared with other plugins and cannot be changed.');
}
