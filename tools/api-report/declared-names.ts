import { posix } from 'node:path';

/** What a name stands for: its declarations, and the file that they are in. */
export interface Declared {
  readonly file: string;
  readonly name: string;
  /** More than one for overloads. */
  readonly texts: readonly string[];
}

interface DeclarationFile {
  /** Declarations by name, exported or not. */
  readonly declared: ReadonlyMap<string, readonly string[]>;
  /** Names that the file has from another one: its own name there, and that file. */
  readonly imported: ReadonlyMap<string, { readonly name: string; readonly from: string }>;
  /** What it exports, as the name inside the file. */
  readonly exported: ReadonlyMap<string, string>;
  readonly exportedFrom: readonly string[];
}

/** Reads what declaration files export. They are written by the compiler, so their layout is regular. */
export class DeclaredNames {
  readonly #read: (source: string) => string | undefined;
  readonly #files = new Map<string, DeclarationFile>();

  constructor(read: (source: string) => string | undefined) {
    this.#read = read;
  }

  /** The names that a file exports, sorted, also those that it exports from other files. */
  listExports(file: string): string[] {
    const { exported, exportedFrom } = this.#open(file);
    const passedOn = exportedFrom
      .flatMap((from) => this.listExports(from))
      .filter((name) => name !== 'default');
    return [...new Set([...exported.keys(), ...passedOn])].sort();
  }

  /** What an exported name stands for; undefined for one that comes from a package. */
  findExport(file: string, name: string): Declared | undefined {
    const { exported, exportedFrom } = this.#open(file);
    const inside = exported.get(name);
    if (inside !== undefined) return this.findName(file, inside);
    for (const from of exportedFrom) {
      const found = this.findExport(from, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What a name means inside a file; undefined for one that is not declared in the project. */
  findName(file: string, name: string): Declared | undefined {
    const { declared, imported } = this.#open(file);
    const texts = declared.get(name);
    if (texts !== undefined) return { file, name, texts };
    const elsewhere = imported.get(name);
    return elsewhere && this.findExport(elsewhere.from, elsewhere.name);
  }

  #open(file: string): DeclarationFile {
    const known = this.#files.get(file) ?? parse(file, this.#read(file) ?? '');
    this.#files.set(file, known);
    return known;
  }
}

function parse(file: string, text: string): DeclarationFile {
  const declared = new Map<string, string[]>();
  const imported = new Map<string, { name: string; from: string }>();
  const exported = new Map<string, string>();
  const exportedFrom: string[] = [];
  for (const statement of splitStatements(text)) {
    const [, from] = /\bfrom '(\.[^']*)';$/.exec(statement) ?? [];
    const target = from === undefined ? undefined : posix.join(posix.dirname(file), from);
    const [, keyword, list] =
      /^(import|export)(?: type)?(?: \w+,)? \{([^}]*)\}(?: from '[^']*')?;$/s.exec(statement) ?? [];
    if (list !== undefined) {
      for (const { name, as } of listNames(list)) {
        // A name that is exported from elsewhere has no meaning inside the file: it gets one that no code can use.
        const inside = keyword === 'import' ? as : target === undefined ? name : `export ${as}`;
        if (target !== undefined) imported.set(inside, { name, from: target });
        if (keyword === 'export') exported.set(as, inside);
      }
    } else if (/^export \* from/.test(statement)) {
      if (target !== undefined) exportedFrom.push(target);
    } else if (/^export default /.test(statement)) {
      exported.set('default', statement.slice('export default '.length, -1));
    } else {
      const [, name] = declaration.exec(statement) ?? [];
      if (name === undefined) continue;
      declared.set(name, [...(declared.get(name) ?? []), statement.replace(/^(export |declare )+/, '')]);
      if (statement.startsWith('export ')) exported.set(name, name);
    }
  }
  return { declared, imported, exported, exportedFrom };
}

const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:const|function|class|interface|type) ([\w$]+)/;

/** Statements without comments. Every one begins at the left edge, and only closing brackets stand there beside. */
function splitStatements(text: string): string[] {
  const code = text.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^\s*(\/\/.*|#private;)\n/gm, '');
  return code
    .split(/\n(?=[a-z])/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** `type A, b as c` of an import or export. */
function listNames(list: string): { readonly name: string; readonly as: string }[] {
  return list
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', as = name] = part.split(' as ');
      return { name, as };
    });
}
