import type { IndexPart } from '../../index/index-part.ts';
import type { TemplateStep } from '../../keywords/template.ts';
import type { DefinitionPath } from '../../schema/raw-definitions.ts';
import type { AttributeRef, CompiledTemplate, TemplatePart } from '../compiled-definitions.ts';
import type { ProblemList } from '../problem-list.ts';
import { reportLookup } from './check-lookup.ts';
import type { UnlinkedObjects } from './unlinked-objects.ts';

/** Finds what the keywords of an object name: its attributes, those of objects that it augments, and columns of its index. */
export class ColumnFinder {
  readonly #line: readonly string[];
  readonly #objects: UnlinkedObjects;
  readonly #index: readonly IndexPart[];
  readonly #problems: ProblemList;

  constructor(id: string, objects: UnlinkedObjects, index: readonly IndexPart[], problems: ProblemList) {
    this.#line = augmentLineOf(id, objects);
    this.#objects = objects;
    this.#index = index;
    this.#problems = problems;
  }

  /** The attribute with this name; undefined, without a problem, when there is none. */
  find(name: string): AttributeRef | undefined {
    const object = this.#line.find((id) => this.#objects.get(id)?.attributes.has(name));
    return object === undefined ? undefined : { object, attribute: name };
  }

  /** Whether the attribute is read at a part of the index. */
  isLookup({ object, attribute }: AttributeRef): boolean {
    return this.#objects.get(object)?.attributes.get(attribute)?.at !== undefined;
  }

  /** As `find`, with a problem when there is none. */
  attribute(
    name: string,
    path: DefinitionPath,
    rule: 'unknown-column' | 'unknown-class' = 'unknown-column',
  ): AttributeRef | undefined {
    const found = this.find(name);
    if (found === undefined) this.#report(rule, name, path, '');
    else if (this.isLookup(found)) reportLookup(name, path, this.#problems);
    return found;
  }

  template(steps: readonly TemplateStep[], path: DefinitionPath): CompiledTemplate {
    return steps.flatMap((step): TemplatePart[] => {
      if (typeof step === 'string') return [step];
      const found = this.find(step.name);
      if (found !== undefined) return [found];
      const part = this.#index.findIndex(
        ({ mibName, field }) => mibName === step.name || (field !== undefined && field === step.name),
      );
      if (part >= 0) return [{ part }];
      if (step.name === 'index') return [{ part: 'all' }];
      this.#report('unknown-column', step.name, path, ' nor a column of the index');
      return [];
    });
  }

  #report(rule: 'unknown-column' | 'unknown-class', name: string, path: DefinitionPath, other: string): void {
    const hint = this.#problems.suggest(name, this.#objects.get(this.#line[0]!)!.attributes);
    const message = `“${name}” is no attribute of this object or of one that it augments${other}.${hint}`;
    this.#problems.add(rule, path, message);
  }
}

/** The object, the object that it augments, and so on. Circles were left out before. */
function augmentLineOf(id: string, objects: UnlinkedObjects): readonly string[] {
  const line: string[] = [];
  for (
    let next: string | undefined = id;
    next !== undefined && objects.has(next);
    next = objects.get(next)?.augments
  )
    line.push(next);
  return line;
}
