/** Where one value is in the text, and what is inside it. Offsets count from 0; -1 means that there is none. */
export interface PositionNode {
  readonly keyOffset: number;
  readonly offset: number;
  /** A plain scalar as it is spelled, before it becomes a number or a boolean. */
  readonly spelling?: string;
  /** By key, or by position in a list. */
  readonly children: ReadonlyMap<string, PositionNode>;
}

/** The children of a scalar. */
export const noPositions: ReadonlyMap<string, PositionNode> = Object.freeze(new Map<string, PositionNode>());

/** The deepest node along `path`, and how many keys of the path led to it. */
export function findNode(
  root: PositionNode,
  path: readonly (string | number)[],
): { readonly node: PositionNode; readonly depth: number } {
  let node = root;
  for (const [depth, key] of path.entries()) {
    const child = node.children.get(String(key));
    if (child === undefined) return { node, depth };
    node = child;
  }
  return { node, depth: path.length };
}
