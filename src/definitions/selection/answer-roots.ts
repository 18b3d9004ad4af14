import type { Oid } from '../../model/oid.ts';
import type { CompiledObject } from '../compiler/compiled-definitions.ts';
import { ownAttributes } from '../own-attributes.ts';

/** The arcs of a MIB below mib-2, and of a vendor below enterprises. */
const rootArcs = 7;
/** Below these, each MIB has an arc more. */
const deeperRoots = ['1.3.6.1.2.1.10.', '1.3.111.2.802.'];
const dot = 0x2e;

/** The subtree that a device is asked for before anything in it: a standard MIB, or all that one vendor defines. */
export function rootOf(oid: Oid): Oid {
  let left = deeperRoots.some((root) => oid.startsWith(root)) ? rootArcs + 1 : rootArcs;
  for (let at = 0; at < oid.length; at++) {
    if (oid.charCodeAt(at) === dot && --left === 0) return oid.slice(0, at);
  }
  return oid;
}

/** The roots below which an object has columns; most objects have one. */
export function rootsOf({ attributes }: Pick<CompiledObject, 'attributes'>): ReadonlySet<Oid> {
  const roots = new Set<Oid>();
  for (const { column } of ownAttributes(attributes)) roots.add(rootOf(column));
  return roots;
}
