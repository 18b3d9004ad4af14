import type { MibNode } from '../../mib/index.ts';

/** With the enum that the description spells out: "0 will indicate down, 1 will indicate up". */
export function withSaidStates(node: MibNode): MibNode {
  const { enums, type, units, ranges = [], description = '' } = node;
  if (enums !== undefined || units !== undefined || !/^(?:Integer32|Unsigned32)$/.test(type ?? ''))
    return node;
  const text = description.slice(0, 1_000).replace(/\s+/g, ' ');
  if (/\bbits?\b|\brange|\bbetween\b|\blevel\b/i.test(text)) return node;
  const said = new Map<string, number>();
  for (const [, number, words] of text.matchAll(meaning)) {
    const name = words!.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
    if (said.has(name)) return node;
    said.set(name, Number(number));
  }
  const numbers = [...said.values()].sort((one, other) => one - other);
  const [first = 2] = numbers;
  const isWhole =
    first <= 1 && numbers.length > 1 && numbers.every((number, place) => number === first + place);
  if (!isWhole || ranges.some(({ max }) => Number(max) > numbers.at(-1)!)) return node;
  const saidEnums = Object.fromEntries(said);
  return {
    ...(node.toJSON() as MibNode),
    enums: saidEnums,
    locate: () => node.locate(),
    toJSON: () => ({ ...node.toJSON(), enums: saidEnums }),
  };
}

/** A number, the verb, and up to four words until the next number or the end of the sentence. */
const meaning = new RegExp(
  String.raw`(?<![\w.-])(\d{1,2}) (?:will indicate|indicates|represents|means|denotes|stands for) ` +
    String.raw`(?:that )?(?:the |an? )?([a-z][a-z-]*(?: [a-z][a-z-]*){0,3}?)(?=[,;]|\.(?:\s|$)| and \d|,? \d|$)`,
  'gi',
);

/** "When read, this object always returns 0": unless the sentence has a condition. */
export function isAlwaysZero({ description = '' }: MibNode): boolean {
  return description
    .replace(/\s+/g, ' ')
    .split(/(?<=[.;)])\s/)
    .some(
      (sentence) =>
        alwaysZero.test(sentence) || /^a get of this \w+ (?:will )?returns? 0\.?$/i.test(sentence.trim()),
    );
}

const alwaysZero =
  /^\W*(?:(?:when|on) (?:it is )?read(?:ing)?(?: this object)?,? )?(?:(?:this|the) (?:object|oid|value|variable|counter|statistic|attribute) |it |a get\S* |gets? |reading )?(?:(?:will|should) )?(?:unconditionally|always) (?:be |is |(?:returns?|reads?|reports?) (?:a |the )?(?:value )?(?:of )?)(?:set to )?(?:0|zero)\W*$/i;
