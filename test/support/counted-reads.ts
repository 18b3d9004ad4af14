/** The same octets, and how often one of them was read: a measure of a decoder's work that no busy machine changes. */
export function countReads<Octets extends Uint8Array>(octets: Octets): { octets: Octets; reads(): number } {
  let count = 0;
  const counted = new Proxy(octets, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) count++;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { octets: counted, reads: () => count };
}
