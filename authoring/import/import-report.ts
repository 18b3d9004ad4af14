import type { Place, SourceNode } from './source/source-node.ts';

/** What became of one thing of the source that did not simply stay as it is. */
export interface ImportNote extends Place {
  /** The key or the named thing. */
  readonly what: string;
  readonly reason: string;
}

/** Counts what an import keeps, translates and refuses, and where. */
export class ImportReport {
  readonly translated: ImportNote[] = [];
  readonly refused: ImportNote[] = [];
  #kept = 0;

  get kept(): number {
    return this.#kept;
  }

  /** It means the same in the definitions. */
  keep(): void {
    this.#kept++;
  }

  /** It is in the definitions in another form. */
  translate(node: SourceNode, what: string, reason: string): void {
    this.translated.push(noteOf(node, what, reason));
  }

  /** The definitions do not have it. */
  refuse(node: SourceNode, what: string, reason: string): void {
    this.refused.push(noteOf(node, what, reason));
  }

  /** Refuses every key of a map that is not in `known`, with the reason of `reasons` where it has one. */
  refuseOthers(
    map: SourceNode,
    known: ReadonlySet<string>,
    reasons: Readonly<Record<string, string>> = {},
  ): void {
    for (const [key, node] of map.entries()) {
      if (known.has(key) || node.value === null) continue;
      this.refuse(node, key, Object.hasOwn(reasons, key) ? reasons[key]! : 'This key is not known.');
    }
  }
}

function noteOf(node: SourceNode, what: string, reason: string): ImportNote {
  return { ...node.place, what: what.replace(/\p{C}/gu, '').slice(0, maxWhat), reason };
}

const maxWhat = 120;
