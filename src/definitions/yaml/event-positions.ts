import { EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import { noPositions, type PositionNode } from './position-node.ts';
import type { YamlEvents } from './read-events.ts';
import type { YamlPlaces } from './yaml-document.ts';

export interface DuplicateKey {
  readonly path: readonly string[];
  readonly firstOffset: number;
  readonly offset: number;
}

/** Reports every key that occurs twice in one map. */
export function findDuplicateKeys(parsed: YamlEvents, onDuplicate: (duplicate: DuplicateKey) => void): void {
  new EventReader(parsed, onDuplicate).read(parsed.events[0]?.type === EVENT_ID.DOCUMENT ? 1 : 0, -1);
}

/** Finds places in the parser's events, on demand. */
export function placesIn(parsed: YamlEvents): YamlPlaces {
  let positions: ReadonlyMap<string, number> | undefined;
  const find = () => {
    positions ??= topKeys(parsed);
    return positions;
  };
  const offsetAt = (position: number): number => {
    const event = parsed.events[position];
    return event?.type === EVENT_ID.SCALAR ? parsed.offsetAt(event.valueStart) : -1;
  };
  return {
    keys: () => find().keys(),
    keyOffset(key) {
      const position = find().get(key);
      return position === undefined ? undefined : offsetAt(position);
    },
    entryAt(key) {
      const position = find().get(key);
      if (position === undefined) return undefined;
      return new EventReader(parsed).read(position + 1, offsetAt(position));
    },
  };
}

/** The position among the events of each key of the top map, in one pass. */
function topKeys({ events, source }: YamlEvents): Map<string, number> {
  const positions = new Map<string, number>();
  let depth = 0;
  let isKey = true;
  for (let position = 0; position < events.length; position++) {
    const event = events[position]!;
    if (event.type === EVENT_ID.POP) depth--;
    if (depth === 2) {
      if (isKey && event.type === EVENT_ID.SCALAR) positions.set(getScalarValue(source, event), position);
      const endsNode =
        event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS || event.type === EVENT_ID.POP;
      if (endsNode) isKey = !isKey;
    }
    if (
      event.type === EVENT_ID.DOCUMENT ||
      event.type === EVENT_ID.SEQUENCE ||
      event.type === EVENT_ID.MAPPING
    ) {
      depth++;
    }
  }
  return positions;
}

class EventReader {
  readonly #events: YamlEvents['events'];
  readonly #source: string;
  readonly #offsetAt: YamlEvents['offsetAt'];
  readonly #onDuplicate: ((duplicate: DuplicateKey) => void) | undefined;
  readonly #path: string[] = [];
  #next = 0;

  constructor({ events, source, offsetAt }: YamlEvents, onDuplicate?: (duplicate: DuplicateKey) => void) {
    this.#events = events;
    this.#source = source;
    this.#offsetAt = offsetAt;
    this.#onDuplicate = onDuplicate;
  }

  /** The node that starts with the event at `position`. */
  read(position: number, keyOffset: number): PositionNode {
    this.#next = position;
    return this.#readNode(keyOffset);
  }

  #readNode(keyOffset: number): PositionNode {
    const event = this.#events[this.#next++];
    switch (event?.type) {
      case EVENT_ID.SCALAR: {
        const offset = this.#offsetAt(quoteOffset(event));
        if (event.style !== SCALAR_STYLE.PLAIN) return { keyOffset, offset, children: noPositions };
        const spelling = this.#source.slice(event.valueStart, event.valueEnd);
        return { keyOffset, offset, spelling, children: noPositions };
      }
      case EVENT_ID.ALIAS:
        return { keyOffset, offset: this.#offsetAt(event.anchorStart - 1), children: noPositions };
      case EVENT_ID.SEQUENCE: {
        const children = new Map<string, PositionNode>();
        for (let index = 0; this.#events[this.#next]?.type !== EVENT_ID.POP; index++) {
          this.#path.push(String(index));
          children.set(String(index), this.#readNode(-1));
          this.#path.pop();
        }
        this.#next++;
        return { keyOffset, offset: this.#offsetAt(event.start), children };
      }
      case EVENT_ID.MAPPING: {
        const children = new Map<string, PositionNode>();
        while (this.#events[this.#next]?.type !== EVENT_ID.POP) this.#readPair(children);
        this.#next++;
        return { keyOffset, offset: this.#offsetAt(event.start), children };
      }
      default:
        return { keyOffset, offset: 0, children: noPositions };
    }
  }

  #readPair(children: Map<string, PositionNode>): void {
    const keyEvent = this.#events[this.#next];
    const keyNode = this.#readNode(-1);
    const key = keyEvent?.type === EVENT_ID.SCALAR ? getScalarValue(this.#source, keyEvent) : '';
    this.#path.push(key);
    const first = children.get(key);
    if (first !== undefined) {
      const { offset } = keyNode;
      this.#onDuplicate?.({ path: [...this.#path], firstOffset: first.keyOffset, offset });
    }
    children.set(key, this.#readNode(keyNode.offset));
    this.#path.pop();
  }
}

/** The parser reports where the text between the quotes begins; people look for the quote. */
function quoteOffset(event: { readonly valueStart: number; readonly style: number }): number {
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? event.valueStart - 1 : event.valueStart;
}
