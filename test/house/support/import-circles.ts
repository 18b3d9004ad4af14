import { listImports, resolveImport, type SourceFile } from './source-file.ts';

/** The sets of files that import each other, directly or through one another, types included. Sorted, each as its paths. */
export function findCircles(files: readonly SourceFile[]): string[][] {
  const imports = new Map(
    files.map((file) => [file.path, listImports(file).map((specifier) => resolveImport(file, specifier))]),
  );
  return new CircleSearch(imports).find();
}

/** Strongly connected components, after Tarjan. */
class CircleSearch {
  readonly #imports: ReadonlyMap<string, readonly (string | undefined)[]>;
  readonly #order = new Map<string, number>();
  readonly #lowest = new Map<string, number>();
  readonly #stack: string[] = [];
  readonly #circles: string[][] = [];

  constructor(imports: ReadonlyMap<string, readonly (string | undefined)[]>) {
    this.#imports = imports;
  }

  find(): string[][] {
    for (const path of this.#imports.keys()) if (!this.#order.has(path)) this.#visit(path);
    return this.#circles.sort((a, b) => (a[0]! < b[0]! ? -1 : 1));
  }

  #visit(path: string): void {
    const number = this.#order.size;
    this.#order.set(path, number);
    this.#lowest.set(path, number);
    this.#stack.push(path);
    for (const target of this.#imports.get(path)!) {
      if (target === undefined || !this.#imports.has(target)) continue;
      if (!this.#order.has(target)) {
        this.#visit(target);
        this.#lower(path, this.#lowest.get(target)!);
      } else if (this.#stack.includes(target)) this.#lower(path, this.#order.get(target)!);
    }
    if (this.#lowest.get(path) !== number) return;
    const circle = this.#stack.splice(this.#stack.indexOf(path));
    if (circle.length > 1) this.#circles.push(circle.sort());
  }

  #lower(path: string, number: number): void {
    this.#lowest.set(path, Math.min(this.#lowest.get(path)!, number));
  }
}
