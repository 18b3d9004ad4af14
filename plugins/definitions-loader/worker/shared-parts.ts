import type { SectionName } from '../../../src/definitions/index.ts';

/**
 * Gives equal texts, and equal parts of devices, the same object. What crosses threads has a copy of each text for each place where it
 * stands, while most devices differ in their names and addresses alone, and most attributes use the same few words.
 */
export class SharedParts {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, object>();

  /** Shares texts within an entry of a section. Nothing else may use the entry yet. */
  share(section: SectionName, entry: unknown): void {
    if (section === 'devices') this.#shareDevice(entry as EntryOfDevice);
    else this.#shareTexts(entry);
  }

  text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }

  #shareDevice(entry: EntryOfDevice): void {
    const { settings } = entry;
    // Settings that did not change may be in use.
    if (Object.isFrozen(settings)) return;
    for (const key in settings) {
      const value = settings[key];
      if (typeof value === 'string') settings[key] = this.text(value);
      else if (typeof value === 'object' && value !== null) settings[key] = this.#list(value);
    }
    entry.given = this.#list(entry.given) as readonly string[];
  }

  #list(list: object): object {
    const text = JSON.stringify(list);
    const known = this.#lists.get(text);
    if (known !== undefined) return known;
    this.#shareTexts(list);
    this.#lists.set(text, list);
    return list;
  }

  #shareTexts(value: unknown): void {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
    if (value instanceof Map) this.#shareMap(value);
    else {
      const parts = value as Record<string, unknown>;
      for (const key in parts) {
        const part = parts[key];
        if (typeof part === 'string') parts[key] = this.text(part);
        else this.#shareTexts(part);
      }
    }
  }

  #shareMap(map: Map<unknown, unknown>): void {
    for (const [key, value] of map) {
      if (typeof key === 'string') this.text(key);
      if (typeof value === 'string') map.set(key, this.text(value));
      else this.#shareTexts(value);
    }
  }
}

interface EntryOfDevice {
  readonly settings: Record<string, unknown>;
  given: readonly string[];
}
