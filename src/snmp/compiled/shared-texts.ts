/** A power of two. */
const places = 8_192;
/** Longer texts are rarely the same on two devices. */
const maxOctets = 64;

/** Finds the text of octets among those that were read before: the names of ten thousand similar devices are the same few. */
export class SharedTexts {
  #texts: (string | undefined)[] | undefined = undefined;

  /** The octets as text, one character per octet (latin1). */
  find(bytes: Buffer, start: number, end: number): string {
    if (end - start > maxOctets) return bytes.toString('latin1', start, end);
    this.#texts ??= new Array<string | undefined>(places).fill(undefined);
    const texts = this.#texts;
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
    const place = (hash ^ (hash >>> 13)) & (places - 1);
    const known = texts[place];
    if (known !== undefined && isText(known, bytes, start, end)) return known;
    const text = bytes.toString('latin1', start, end);
    texts[place] = text;
    return text;
  }
}

export function isText(text: string | undefined, bytes: Uint8Array, start: number, end: number): boolean {
  if (text === undefined || text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
