/** What a character can start. */
export const CharacterClass = {
  unknown: 0,
  space: 1,
  digit: 2,
  letter: 3,
  quote: 4,
  apostrophe: 5,
  dash: 6,
  colon: 7,
  dot: 8,
  symbol: 9,
} as const;

/** The class of each character below 256. All above are unknown. */
export const characterClasses: Readonly<Uint8Array> = makeClasses();

function makeClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  const set = (characters: string, value: number): void => {
    for (const character of characters) classes[character.charCodeAt(0)] = value;
  };
  // Old files end with the control character SUB. Others contain form feeds and non-breaking spaces.
  set('\0\t\n\v\f\r\x1a \x85\xa0', CharacterClass.space);
  set('0123456789', CharacterClass.digit);
  set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', CharacterClass.letter);
  set('"', CharacterClass.quote);
  set("'", CharacterClass.apostrophe);
  set('-', CharacterClass.dash);
  set(':', CharacterClass.colon);
  set('.', CharacterClass.dot);
  set('{}()[],;|', CharacterClass.symbol);
  return classes;
}
