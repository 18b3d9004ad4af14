/** Makes a part of a metric or label name from a field: `netif.bytes.in` becomes `netif_bytes_in`. */
export function nameText(field: string): string {
  return field
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** Returns `name`, with a number appended if it is taken, and adds the result to `taken`. */
export function reserveName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  taken.add(free);
  return free;
}

/** A device may send 64 KiB for a name, and a label is repeated in every series. */
const maxLabelLength = 1024;

/** The value of a label: cut after 1,024 characters, and without NULs, which would end the input of Prometheus' parsers. */
export function labelValue(text: string): string {
  const cut = text.length > maxLabelLength ? text.slice(0, maxLabelLength) : text;
  return cut.includes('\0') ? cut.replaceAll('\0', '\uFFFD') : cut;
}

/** Whether series are named after the fields of the definitions or after the MIB. */
export type Naming = 'fields' | 'mib';

/** The name of a MIB's object as the name of a metric or label: some objects of vendors have hyphens. */
export function validName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=[0-9])/, '_');
}
