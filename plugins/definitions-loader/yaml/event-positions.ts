import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import type { PositionNode } from './position-node.ts';

export interface DuplicateKey {
  readonly path: readonly string[];
  readonly firstOffset: number;
  readonly offset: number;
}

/** Where everything stands, from the parser's events; a key that comes twice in one map is told to `onDuplicate`. */
export function positionsOf(
  events: readonly Event[],
  text: string,
  onDuplicate?: (duplicate: DuplicateKey) => void,
): PositionNode {
  let next = 0;
  const path: string[] = [];

  const readNode = (keyOffset: number): PositionNode => {
    const event = events[next++];
    const children = new Map<string, PositionNode>();
    switch (event?.type) {
      case EVENT_ID.SCALAR: {
        const offset = event.valueStart;
        if (event.style !== SCALAR_STYLE.PLAIN) return { keyOffset, offset: quoteOffset(event), children };
        return { keyOffset, offset, spelling: text.slice(event.valueStart, event.valueEnd), children };
      }
      case EVENT_ID.ALIAS:
        return { keyOffset, offset: event.anchorStart - 1, children };
      case EVENT_ID.SEQUENCE:
        for (let index = 0; events[next]?.type !== EVENT_ID.POP; index++) {
          path.push(String(index));
          children.set(String(index), readNode(-1));
          path.pop();
        }
        next++;
        return { keyOffset, offset: event.start, children };
      case EVENT_ID.MAPPING:
        while (events[next]?.type !== EVENT_ID.POP) readPair(children);
        next++;
        return { keyOffset, offset: event.start, children };
      default:
        return { keyOffset, offset: 0, children };
    }
  };

  const readPair = (children: Map<string, PositionNode>): void => {
    const keyEvent = events[next];
    const keyNode = readNode(-1);
    const key = keyEvent?.type === EVENT_ID.SCALAR ? getScalarValue(text, keyEvent) : '';
    path.push(key);
    const first = children.get(key);
    if (first !== undefined) {
      onDuplicate?.({ path: [...path], firstOffset: first.keyOffset, offset: keyNode.offset });
    }
    children.set(key, readNode(keyNode.offset));
    path.pop();
  };

  if (events[0]?.type === EVENT_ID.DOCUMENT) next = 1;
  return readNode(0);
}

/** Quoted scalars report the text between the quotes; people look for the quote. */
function quoteOffset(event: { readonly valueStart: number; readonly style: number }): number {
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? event.valueStart - 1 : event.valueStart;
}
