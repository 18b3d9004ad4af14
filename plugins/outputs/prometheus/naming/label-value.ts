/** A device may send 64 KiB for a name, and a label is repeated in every series. */
const maxLength = 1024;

/** A label's value: cut after 1,024 characters, and without NULs, which would end the input of Prometheus' parsers. */
export function labelValue(text: string): string {
  const cut = text.length > maxLength ? text.slice(0, maxLength) : text;
  return cut.includes('\0') ? cut.replaceAll('\0', '\uFFFD') : cut;
}
