import type { Problem } from '../../model/definition-changes.ts';
import { LineIndex } from '../yaml/line-index.ts';
import { findPlaces } from '../yaml/parse-yaml.ts';
import { findNode, type PositionNode } from '../yaml/position-node.ts';
import type { YamlPlaces } from '../yaml/yaml-document.ts';
import type { CheckedContent } from './checked-file.ts';
import type { MergedDefinitions } from './merge-files.ts';
import type { SetProblem } from './set-problem.ts';

/** Places by content. They stay valid because a content never changes. */
export type PlaceCache = WeakMap<CheckedContent, Map<string, Place>>;
/** Places from the parser, of contents that were just read. */
export type ParsedPlaces = ReadonlyMap<CheckedContent, YamlPlaces>;
export type Place = Pick<Problem, 'line' | 'column'>;

/** Turns paths into files, lines and columns. Parses a file again only when its places are needed and were not kept. */
export class ProblemLocator {
  readonly #origins: MergedDefinitions['origins'];
  readonly #places: PlaceCache;
  readonly #parsed: ParsedPlaces;
  readonly #sources = new Map<CheckedContent, Source>();

  constructor(
    origins: MergedDefinitions['origins'],
    places: PlaceCache = new WeakMap(),
    parsed: ParsedPlaces = new Map(),
  ) {
    this.#origins = origins;
    this.#places = places;
    this.#parsed = parsed;
  }

  /** Points at the value at the end of `path`; where a part of the path is missing, at the key that should hold it. */
  locate({ level, path, rule, message }: SetProblem): Problem {
    const [kind, id, ...keys] = path;
    const file = this.#origins[kind].get(id);
    if (file === undefined) return { level, file: kind, line: 1, column: 1, rule, message };
    return { level, file: file.name, ...this.#placeIn(file.content, id, keys), rule, message };
  }

  #placeIn(content: CheckedContent, id: string, keys: readonly (string | number)[]): Place {
    const known = this.#places.get(content) ?? new Map<string, Place>();
    this.#places.set(content, known);
    const name = [id, ...keys].join('\n');
    let place = known.get(name);
    if (place === undefined) {
      place = this.#findPlace(content, id, keys);
      known.set(name, place);
    }
    return place;
  }

  #findPlace(content: CheckedContent, id: string, keys: readonly (string | number)[]): Place {
    const { lines, entryAt } = this.#sourceOf(content);
    const entry = entryAt(id);
    if (entry === undefined) return lines.at(0);
    const { node, depth } = findNode(entry, keys);
    const isLeaf = node.children.size === 0 && node.offset !== -1;
    const isValue = isLeaf && depth === keys.length && (keys.length > 0 || content.kind === 'sysObjectIds');
    const offset = isValue || node.keyOffset === -1 ? node.offset : node.keyOffset;
    return lines.at(offset);
  }

  #sourceOf(content: CheckedContent): Source {
    let source = this.#sources.get(content);
    if (source === undefined) {
      source = readSource(content, this.#parsed.get(content) ?? findPlaces(content.text));
      this.#sources.set(content, source);
    }
    return source;
  }
}

interface Source {
  readonly lines: LineIndex;
  /** The place of the definition of an id. */
  entryAt(id: string): PositionNode | undefined;
}

/** Keeps the last entry, because problems come entry by entry. */
function readSource({ text }: CheckedContent, places: YamlPlaces): Source {
  let last: { readonly id: string; readonly entry: PositionNode | undefined } | undefined;
  return {
    lines: new LineIndex(text),
    entryAt(id) {
      if (last?.id !== id) last = { id, entry: places.entryAt(id) ?? places.entryAt(`.${id}`) };
      return last.entry;
    },
  };
}
