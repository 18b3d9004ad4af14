import { FileScanner } from './file-scanner.ts';
import { listMibFiles, maxFileBytes, readMibFile } from './mib-files.ts';
import type { MibNode } from './mib-node.ts';
import type { MibProblem } from './mib-problem.ts';
import {
  guessModuleName,
  normalizeModuleName,
  scanModuleNames,
  seemsToDefine,
  shortenModuleName,
} from './module-names.ts';
import { DefiningModules } from './resolve/defining-modules.ts';
import { LoadedModule } from './resolve/loaded-module.ts';
import { ModuleResolver } from './resolve/module-resolver.ts';
import type { NameSpace } from './resolve/name-finder.ts';
import { languageModules } from './resolve/well-known.ts';
import { ModuleParser } from './syntax/module-parser.ts';

/** A module and what it defines. */
export interface MibModule {
  readonly name: string;
  readonly file: string;
  /** Of its MODULE-IDENTITY, as `YYYYMMDDhhmm`. */
  readonly lastUpdated: string | undefined;
  readonly nodes: readonly MibNode[];
  /** The modules that its IMPORTS name, by the imported name. */
  readonly imports: ReadonlyMap<string, string>;
}

/** A node, and what an OID has behind that of the node: the index of a row, or 0. */
export interface FoundNode {
  readonly node: MibNode;
  /** Empty, or such as `1.3`. */
  readonly suffix: string;
}

/** How much a set contains, after all its files were read. */
export interface MibCounts {
  readonly modules: number;
  readonly nodes: number;
  readonly files: number;
}

/**
 * The modules of MIB files. Asked for one module, it reads the files whose names fit and what they import; otherwise, and where no
 * name fits, all files. It reads synchronously, and each file once.
 */
export class MibSet {
  readonly #files: readonly string[];
  /** The places of the files that are not read yet. */
  readonly #unread: Set<number>;
  readonly #parser = new ModuleParser();
  readonly #modules = new Map<string, LoadedModule>();
  /** Modules that others may have used already: a newer one that is read later does not replace them. */
  readonly #used = new Set<LoadedModule>();
  readonly #nodes = new Map<LoadedModule, readonly MibNode[]>();
  readonly #problems: (readonly MibProblem[])[] = [];
  readonly #resolver: ModuleResolver;
  readonly #scanner = new FileScanner();
  /** The names that all files were searched for. */
  readonly #searched = new Set<string>();
  /** Undefined until it is needed, and after a module was replaced. */
  #defining: DefiningModules | undefined;
  #filesByGuess: FilesByName | undefined;
  /** By the modules that their first bytes and, as the second, all their bytes seem to contain. */
  readonly #filesByScan: (FilesByName | undefined)[] = [];
  #oids: ReadonlyMap<string, MibNode> | undefined;

  /** Files, and folders with everything below them. A path that does not exist is a problem, not an exception. */
  constructor(paths: readonly string[]) {
    const { files, unreadable } = listMibFiles(paths);
    this.#files = files;
    this.#unread = new Set(files.keys());
    this.#resolver = new ModuleResolver({
      find: (name) => this.#find(name),
      findDefining: (name, space, others) => this.#findDefining(name, space, others),
    });
    for (const { path, reason } of unreadable) {
      const message = `The path cannot be read: ${reason}.`;
      const at = { file: path, line: 1, column: 1 };
      this.#problems.push([{ level: 'error', rule: 'file-unreadable', message, ...at }]);
    }
  }

  /** All modules, in the order of their files. */
  modules(): MibModule[] {
    this.#loadAll();
    return [...this.#modules.values()]
      .sort((a, b) => a.order - b.order)
      .map((module) => this.#describe(module));
  }

  /** One module. Reads only the files that it needs. */
  module(name: string): MibModule | undefined {
    const module = this.#find(name);
    return module === undefined ? undefined : this.#describe(module);
  }

  /** `IF-MIB::ifIndex` reads what IF-MIB needs, `ifIndex` the files that mention it. Several modules may define a name. */
  findByName(name: string): MibNode[] {
    const [first, second] = name.split('::', 2);
    const modules = second === undefined ? this.#modulesDefining(name) : [this.module(first!)];
    const wanted = second ?? first;
    return modules.flatMap((module) => module?.nodes.filter((node) => node.name === wanted) ?? []);
  }

  /** The node with the longest OID that the OID begins with. Reads all files. */
  findByOid(oid: string): FoundNode | undefined {
    this.#oids ??= indexOids(this.modules());
    const wanted = oid.replace(/^\./, '');
    for (let end = wanted.length; end > 0; end = wanted.lastIndexOf('.', end - 1)) {
      const node = this.#oids.get(wanted.slice(0, end));
      if (node !== undefined) return { node, suffix: wanted.slice(end + 1) };
    }
    return undefined;
  }

  /** The node that a name means inside a module, which defines or imports it: INDEX, AUGMENTS and OBJECTS contain such names. */
  findWithin(module: string, name: string): MibNode | undefined {
    const from = this.#find(module);
    const found = from && this.#resolver.find(from, name);
    return found && this.#describe(found.module).nodes.find((node) => node.name === name);
  }

  /** Of all files and modules. */
  counts(): MibCounts {
    const modules = this.modules();
    const nodes = modules.reduce((sum, module) => sum + module.nodes.length, 0);
    return { modules: modules.length, nodes, files: this.#files.length };
  }

  /** Of the files that were read and the modules that were used up to now. */
  problems(): MibProblem[] {
    return this.#problems.flat();
  }

  #describe(module: LoadedModule): MibModule {
    let nodes = this.#nodes.get(module);
    if (nodes === undefined) {
      this.#used.add(module);
      nodes = this.#resolver.resolve(module);
      this.#nodes.set(module, nodes);
    }
    const { name, source, lastUpdated } = module.syntax;
    const imports = new Map([...module.syntax.imports].map(([key, from]) => [key, from.module]));
    return { name, file: source.path, lastUpdated, nodes, imports };
  }

  #find(name: string): LoadedModule | undefined {
    if (this.#unread.size > 0 && !this.#modules.has(name)) this.#loadNamed(name);
    const module = this.#modules.get(name);
    if (module !== undefined) this.#used.add(module);
    return module;
  }

  #loadNamed(name: string): void {
    for (const guess of [normalizeModuleName(name), shortenModuleName(name)]) {
      this.#filesByGuess ??= groupFiles(this.#files, (path) => [guessModuleName(path)]);
      for (const file of this.#filesByGuess.get(guess) ?? []) this.#load(file);
      // What the language modules define is known without their files.
      if (this.#modules.has(name) || languageModules.has(name)) return;
    }
    for (const [step, maxBytes] of scannedBytes.entries()) {
      this.#filesByScan[step] ??= groupFiles(this.#files, (path) => {
        const bytes = this.#scanner.read(path, maxBytes);
        return bytes === undefined ? [] : scanModuleNames(bytes);
      });
      for (const file of this.#filesByScan[step].get(name) ?? []) this.#load(file);
      if (this.#modules.has(name)) return;
    }
  }

  #findDefining(name: string, space: NameSpace, others: Iterable<string>): LoadedModule | undefined {
    this.#loadDefining(name, others);
    this.#defining ??= new DefiningModules(this.#modules.values());
    const first = this.#defining.find(name, space);
    if (first !== undefined) this.#used.add(first);
    return first;
  }

  #modulesDefining(name: string): MibModule[] {
    this.#loadDefining(name);
    const defines = (module: LoadedModule) => module.values.has(name) || module.types.has(name);
    // A newer file of the same module may have another name for it.
    const found = [...this.#modules.values()].filter(defines);
    for (const module of found) this.#loadNamed(module.name);
    // Not every file is searched byte by byte: some are UTF-16.
    if (found.length === 0) this.#loadAll();
    return [...this.#modules.values()]
      .filter(defines)
      .sort((a, b) => a.order - b.order)
      .map((module) => this.#describe(module));
  }

  /** The unread files that seem to define the name. All files are searched once for it and for others that will be asked for. */
  #loadDefining(name: string, others: Iterable<string> = []): void {
    if (this.#unread.size === 0 || this.#searched.has(name)) return;
    const wanted = [...new Set([name, ...others])].filter((each) => !this.#searched.has(each));
    for (const each of wanted) this.#searched.add(each);
    // Beyond that, reading all files is faster.
    if (this.#searched.size > maxSearched) this.#loadAll();
    for (const file of this.#unread) {
      const bytes = this.#scanner.read(this.#files[file]!, maxFileBytes);
      if (bytes === undefined || wanted.some((each) => seemsToDefine(bytes, each))) this.#load(file);
    }
  }

  #loadAll(): void {
    for (const file of this.#unread) this.#load(file);
  }

  #load(file: number): void {
    if (!this.#unread.delete(file)) return;
    const source = readMibFile(this.#files[file]!);
    this.#problems.push(source.problems);
    for (const syntax of this.#parser.parse(source)) this.#add(new LoadedModule(syntax, file));
  }

  #add(module: LoadedModule): void {
    const other = this.#modules.get(module.name);
    if (other === undefined) {
      this.#modules.set(module.name, module);
      this.#defining?.add(module);
      return;
    }
    const isNewer =
      dateOf(module) > dateOf(other) || (dateOf(module) === dateOf(other) && module.order < other.order);
    const [kept, left] = isNewer && !this.#used.has(other) ? [module, other] : [other, module];
    this.#modules.set(module.name, kept);
    if (kept === module) this.#defining = undefined;
    const { source, start } = left.syntax;
    const date = kept.syntax.lastUpdated;
    const message = `The module ${module.name} of ${kept.syntax.source.path} is used instead${date === undefined ? '' : `: its LAST-UPDATED is ${date}`}.`;
    source.report('warning', 'duplicate-module', message, start);
  }
}

type FilesByName = ReadonlyMap<string, readonly number[]>;

/** Nearly every module begins in the first bytes of its file. */
const scannedBytes = [8_192, maxFileBytes];

/** Names that files are searched for one by one. */
const maxSearched = 50;

/** A module without a date is older than any other. */
function dateOf({ syntax }: LoadedModule): string {
  return syntax.lastUpdated ?? '';
}

function groupFiles(files: readonly string[], namesOf: (path: string) => readonly string[]): FilesByName {
  const groups = new Map<string, number[]>();
  for (const [index, path] of files.entries()) {
    for (const name of namesOf(path)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [index]);
      else group.push(index);
    }
  }
  return groups;
}

/** Of nodes with the same OID, objects and notifications come before plain nodes. */
function indexOids(modules: readonly MibModule[]): ReadonlyMap<string, MibNode> {
  const oids = new Map<string, MibNode>();
  for (const { nodes } of modules) {
    for (const node of nodes) {
      if (node.oid === undefined) continue;
      const other = oids.get(node.oid);
      if (other === undefined || (isPlain(other) && !isPlain(node))) oids.set(node.oid, node);
    }
  }
  return oids;
}

function isPlain({ kind }: MibNode): boolean {
  return kind === 'node' || kind === 'module-identity';
}
