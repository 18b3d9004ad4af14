/** Controls, and characters that change the direction of what follows: a device could make a page lie with them. */
const controls = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

const maxShownCharacters = 200;

/** Text of a device, harmless to show: invisible characters are made visible, and what is too long is cut. */
export function makeSafe(text: string, maxCharacters = maxShownCharacters): string {
  const cut = text.length > maxCharacters * 2 ? text.slice(0, maxCharacters * 2) : text;
  const characters = [...cut];
  const isCut = characters.length > maxCharacters || cut.length < text.length;
  const shown = isCut ? `${characters.slice(0, maxCharacters).join('')}…` : cut;
  return shown.replace(controls, (control) => visible(control));
}

function visible(control: string): string {
  if (control === '\n' || control === '\r' || control === '\t') return ' ';
  return `⟨${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
