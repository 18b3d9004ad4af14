/** What `smidump -f python` prints: a dictionary has the pairs in their order, because smidump repeats keys. */
export type DumpValue = string | readonly DumpValue[] | DumpDictionary;

export class DumpDictionary {
  readonly pairs: readonly (readonly [key: string, value: DumpValue])[];

  constructor(pairs: readonly (readonly [string, DumpValue])[]) {
    this.pairs = pairs;
  }

  get(key: string): DumpValue | undefined {
    return this.pairs.find(([each]) => each === key)?.[1];
  }

  text(key: string): string | undefined {
    const value = this.get(key);
    return typeof value === 'string' ? value : undefined;
  }

  dictionary(key: string): DumpDictionary {
    const value = this.get(key);
    return value instanceof DumpDictionary ? value : new DumpDictionary([]);
  }
}

/** The dictionary after `MIB = `; undefined when smidump printed none. */
export function readDump(text: string): DumpDictionary | undefined {
  const start = text.search(/^MIB = \{/m);
  if (start === -1) return undefined;
  const value = new DumpReader(text, start + 'MIB = '.length).read();
  return value instanceof DumpDictionary ? value : undefined;
}

class DumpReader {
  readonly #text: string;
  readonly #token = /\s*(?:#[^\n]*\s*)*("""[\s\S]*?"""|"[^"]*"|[{}()[\]:,]|[^\s{}()[\]:,"]+)/y;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#token.lastIndex = start;
  }

  read(): DumpValue {
    const token = this.#take();
    if (token === '{') return this.#readDictionary();
    if (token !== '(' && token !== '[') return unquote(token);
    const values: DumpValue[] = [];
    while (!this.#isNext(token === '(' ? ')' : ']')) {
      values.push(this.read());
      this.#isNext(',');
    }
    return values;
  }

  #readDictionary(): DumpDictionary {
    const pairs: [string, DumpValue][] = [];
    while (!this.#isNext('}')) {
      const key = unquote(this.#take());
      this.#take();
      pairs.push([key, this.read()]);
      this.#isNext(',');
    }
    return new DumpDictionary(pairs);
  }

  #take(): string {
    const token = this.#token.exec(this.#text)?.[1];
    if (token === undefined) throw new Error('The output of smidump ends in the middle.');
    return token;
  }

  /** Leaves the token behind when it is this one. */
  #isNext(wanted: string): boolean {
    const at = this.#token.lastIndex;
    if (this.#take() === wanted) return true;
    this.#token.lastIndex = at;
    return false;
  }
}

function unquote(token: string): string {
  if (token.startsWith('"""')) return token.slice(3, -3);
  return token.startsWith('"') ? token.slice(1, -1) : token;
}
