import { toSafeName } from '../../src/model/safe-name.ts';

/** Names that YAML merges, or that every JavaScript object has. */
const inherited =
  /^(?:__\w+__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf|<<)$/;

/** Whether a name can be a key of a definition. */
export function isUsableName(name: string): boolean {
  return /^[A-Za-z_][\w.-]{0,200}$/.test(name) && !inherited.test(name);
}

/** `ifHCInOctets` becomes `if_hc_in_octets`: a step of a field. A unit at its end is left out, as the style guide asks. */
export function fieldStep(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const short = words.replace(unitAtEnd, '');
  const step = unitAtEnd.test(short) || short === '' ? `${short}_value` : short;
  return /^[a-z]/.test(step) ? step : `x${step}`;
}

const unitAtEnd =
  /_(bytes|bits|bps|ms|msec|sec|seconds|minutes|percent|pct|celsius|volts|amps|watts|hz|dbm)$/;

/** Gives each thing a name of its own: the second `name` becomes `name_2`. The same thing keeps its name. */
export class UniqueNames {
  readonly #owners = new Map<string, string>();
  readonly #separator: string;

  constructor(separator = '_') {
    this.#separator = separator;
  }

  nameFor(wished: string, owner: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? wished : `${wished}${this.#separator}${number}`;
      const taken = this.#owners.get(name);
      if (taken === undefined) this.#owners.set(name, owner);
      if (taken === undefined || taken === owner) return name;
    }
  }
}

/** A name of a file or a group from any text. */
export function groupName(text: string, otherwise: string): string {
  const name = text
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 63);
  return name === '' || inherited.test(name) ? toSafeName(otherwise) || 'imported' : name;
}

/** One line for the key `description`: the first sentence, at most 120 characters, without a full stop. */
export function describe(text: string | undefined, name: string): string {
  const line = (text ?? '').replace(/[\p{C}\s]+/gu, ' ').trim();
  const [sentence = ''] = line.split(/(?<=[a-z0-9)])\. (?=[A-Z])/);
  const cut = sentence.length <= longest ? sentence : sentence.slice(0, longest + 1).replace(/\s+\S*$/, '');
  const short = cut.slice(0, longest).replace(/[\s.,;:–-]+$/, '');
  return short.length >= 4 ? short : `Value of ${name}`.slice(0, longest);
}

const longest = 120;
