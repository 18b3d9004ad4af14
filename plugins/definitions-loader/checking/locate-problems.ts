import type { Problem } from '../../../src/index.ts';
import { LineIndex } from '../yaml/line-index.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { findNode, type PositionNode } from '../yaml/position-node.ts';
import type { CheckedContent } from './checked-file.ts';
import { hasTextOnly } from './content-checker.ts';
import type { MergedDefinitions } from './merge-files.ts';
import type { SetProblem } from './set-problem.ts';

/** What was found in a content stays right as long as it is the same. */
export type PlaceCache = WeakMap<CheckedContent, Map<string, Place>>;
export type Place = Pick<Problem, 'line' | 'column'>;

/** Turns paths into files, lines and columns. Parses a file again only when a problem leads into it. */
export class ProblemLocator {
  readonly #origins: MergedDefinitions['origins'];
  readonly #places: PlaceCache;
  readonly #positions = new Map<CheckedContent, { readonly root: PositionNode; readonly lines: LineIndex }>();

  constructor(origins: MergedDefinitions['origins'], places: PlaceCache = new WeakMap()) {
    this.#origins = origins;
    this.#places = places;
  }

  /** Points at the value that `path` leads to; where a part of it is missing, at the key that holds it. */
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
    const { root, lines } = this.#positionsOf(content);
    const spelled = root.children.has(id) ? id : `.${id}`;
    const { node, depth } = findNode(root, [spelled, ...keys]);
    const isLeaf = node.children.size === 0 && node.offset !== -1;
    const isValue =
      isLeaf && depth === keys.length + 1 && (keys.length > 0 || content.kind === 'sysObjectIds');
    const offset = isValue || node.keyOffset === -1 ? node.offset : node.keyOffset;
    return lines.at(offset);
  }

  #positionsOf(content: CheckedContent): { readonly root: PositionNode; readonly lines: LineIndex } {
    let positions = this.#positions.get(content);
    if (positions === undefined) {
      const { kind, text } = content;
      const root = parseYaml(text, hasTextOnly(kind) ? 'text' : 'typed').positions();
      positions = { root, lines: new LineIndex(text) };
      this.#positions.set(content, positions);
    }
    return positions;
  }
}
