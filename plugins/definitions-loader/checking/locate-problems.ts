import type { Problem } from '../../../src/index.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { findNode, lineAndColumn, type PositionNode } from '../yaml/position-node.ts';
import type { CheckedFile } from './checked-file.ts';
import { hasTextOnly } from './content-checker.ts';
import type { MergedDefinitions } from './merge-files.ts';
import type { SetProblem } from './set-problem.ts';

/** Turns paths into files, lines and columns. Parses a file again only when a problem leads into it. */
export class ProblemLocator {
  readonly #origins: MergedDefinitions['origins'];
  readonly #positions = new Map<CheckedFile, PositionNode>();

  constructor(origins: MergedDefinitions['origins']) {
    this.#origins = origins;
  }

  /** Points at the value that `path` leads to; where a part of it is missing, at the key that holds it. */
  locate({ level, path, rule, message }: SetProblem): Problem {
    const place = this.findPlace(path);
    return {
      level,
      file: place?.file ?? path[0],
      line: place?.line ?? 1,
      column: place?.column ?? 1,
      rule,
      message,
    };
  }

  findPlace(path: SetProblem['path']): Pick<Problem, 'file' | 'line' | 'column'> | undefined {
    const [kind, id, ...keys] = path;
    const file = this.#origins[kind].get(id);
    if (file === undefined) return undefined;
    const root = this.#positionsOf(file);
    const spelled = root.children.has(id) ? id : `.${id}`;
    const { node, depth } = findNode(root, [spelled, ...keys]);
    const isWholeValue = depth === keys.length + 1 && keys.length > 0;
    const offset =
      isWholeValue && node.children.size === 0 && node.offset !== -1 ? node.offset : node.keyOffset;
    return { file: file.name, ...lineAndColumn(file.content.text, offset === -1 ? node.offset : offset) };
  }

  #positionsOf(file: CheckedFile): PositionNode {
    let positions = this.#positions.get(file);
    if (positions === undefined) {
      const { kind, text } = file.content;
      positions = parseYaml(text, hasTextOnly(kind) ? 'text' : 'typed').positions();
      this.#positions.set(file, positions);
    }
    return positions;
  }
}
