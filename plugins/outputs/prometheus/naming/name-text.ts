/** A field as a part of a metric or label name: `netif.bytes.in` becomes `netif_bytes_in`. */
export function nameText(field: string): string {
  return field
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** `name`, or with the first number behind it that makes it new; the answer is added to `taken`. */
export function takeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  taken.add(free);
  return free;
}
