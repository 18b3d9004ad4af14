import type { IndexDraft } from '../group-draft.ts';
import type { SourceNode } from '../source/source-node.ts';

/**
 * The parts of the index, from 0, whose arcs the ranges of an `index_transform` take. Undefined where a range begins or ends inside a part,
 * or where nobody knows, because a part before it has no fixed length.
 */
export function transformedParts(transform: SourceNode, index: readonly IndexDraft[]): number[] | undefined {
  const parts: number[] = [];
  for (const range of transform.items()) {
    const start = findPart(index, range.get('start')?.number);
    const end = findEnd(index, range);
    if (start === undefined || end === undefined || end <= start) return undefined;
    for (let part = start; part < end; part++) parts.push(part);
  }
  return parts.length === 0 ? undefined : parts;
}

/** The part of the index that a tag without a column names: by the place of its arc from 1, or by a range of arcs. */
export function namedPart(tag: SourceNode, index: readonly IndexDraft[]): number | undefined {
  const arc = tag.get('index')?.number;
  if (arc !== undefined) return findPart(index, arc - 1);
  const [range, ...others] = tag.get('index_transform')?.items() ?? [];
  const start = range?.get('start')?.number;
  if (start === undefined || others.length > 0) return undefined;
  const parts = transformedParts(tag.get('index_transform')!, index);
  if (parts !== undefined) return parts.length === 1 ? parts[0] : undefined;
  // The first arc of a text is its length.
  const text = findPart(index, start - 1);
  return text !== undefined && /^(?:OctetString|ObjectIdentifier)$/.test(index[text]?.type ?? '')
    ? text
    : undefined;
}

/** The part that begins at an arc. */
function findPart(index: readonly IndexDraft[], arc: number | undefined): number | undefined {
  let at = 0;
  for (const [part, { type }] of index.entries()) {
    if (at === arc) return part;
    const length = arcsOf(type);
    if (length === undefined) return undefined;
    at += length;
  }
  return at === arc ? index.length : undefined;
}

/** The first part that is not taken: `end` is the last arc that is, `drop_right` counts those behind it. */
function findEnd(index: readonly IndexDraft[], range: SourceNode): number | undefined {
  const end = range.get('end')?.number;
  if (end !== undefined) return findPart(index, end + 1);
  const left = findPart(index.toReversed(), range.get('drop_right')?.number ?? 0);
  return left === undefined ? undefined : index.length - left;
}

function arcsOf(type: IndexDraft['type']): number | undefined {
  if (type === 'IpAddress') return 4;
  if (type === 'MacAddress') return 6;
  return type === 'Integer' || type === 'Integer32' || type === 'Unsigned32' ? 1 : undefined;
}
