import { BatchFault } from '../../../src/index.ts';

/** A newer version of the program wrote the file, in a form that this one does not know. */
export class NewerFileFault extends BatchFault {}

/**
 * The version in a mark such as "waywiser history 2". Undefined when there is no mark. Throws a NewerFileFault for a version above `newest`.
 */
export function readVersion(bytes: Buffer, mark: RegExp, newest: number): number | undefined {
  const found = mark.exec(bytes.toString('latin1'))?.[1];
  if (found === undefined) return undefined;
  const version = Number(found);
  if (version > newest) throw new NewerFileFault(`Its form is ${version}; this version knows ${newest}.`);
  return version;
}
