/**
 * Makes `value instanceof type` also true for values of the same class in another copy of this package: a plugin that is named by its path or
 * installed elsewhere has its own. Called in a static block of each public class whose values cross from one copy to another.
 */
export function recognizeInEveryCopy(type: abstract new (...args: never[]) => object, name: string): void {
  const mark = Symbol.for(`waywiser.${name}`);
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // Authors extend these classes: only their own instances are instances of what they make.
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
