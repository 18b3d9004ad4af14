import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { suggestName } from '../nearest-name.ts';
import { kernelFailure } from './errors.ts';
import { isPlugin, type Plugin, pluginKinds } from './plugin.ts';
import { findOtherVersion } from './plugin-version.ts';

export interface FinderOptions {
  /** Plugins that have no folder of their own. */
  readonly always: readonly Plugin[];
  /** Folders whose subfolders are built-in plugins, each with an index file. */
  readonly builtInRoots: readonly string[];
  /** Where relative paths and packages are looked up: the directory of the configuration file. */
  readonly directory: string;
}

/** A plugin that was found, under the name that the configuration gave it. */
export interface FoundPlugin {
  readonly name: string;
  readonly plugin: Plugin;
  /** Its entry file; empty for a plugin that was passed as a value. */
  readonly origin: string;
  /** False for a plugin of somebody else: a package, a file, or a value. */
  readonly isBuiltIn: boolean;
}

/** Finds plugins by built-in name, package name or relative path. `name/instance` is a further instance of the same plugin. */
export class PluginFinder {
  readonly #options: FinderOptions;
  readonly #folders: ReadonlyMap<string, string>;

  constructor(options: FinderOptions) {
    this.#options = options;
    this.#folders = findFolders(options.builtInRoots);
  }

  /** The names that need no package and no path, sorted. */
  get builtInNames(): readonly string[] {
    return [...this.#options.always.map(({ name }) => name), ...this.#folders.keys()].sort();
  }

  /** What is known of a plugin that a program passes as a value. It may be a built-in one. */
  async describe(name: string, plugin: Plugin): Promise<FoundPlugin> {
    const isBuiltIn =
      this.builtInNames.includes(plugin.name) && (await this.find(plugin.name)).plugin === plugin;
    if (!isBuiltIn) refuseOtherVersion(name, plugin);
    return { name, plugin, origin: '', isBuiltIn };
  }

  /** Imports the plugin that `name` refers to. Throws an error that names it and says what to do. */
  async find(name: string): Promise<FoundPlugin> {
    if (isPath(name)) {
      const path = resolve(this.#options.directory, name);
      const file = existsSync(join(path, 'package.json')) ? join(path, findEntry(path)) : path;
      const plugin = await importForeign(name, file);
      return { name: plugin.name, plugin, origin: file, isBuiltIn: false };
    }
    const base = baseName(name);
    const always = this.#options.always.find((plugin) => plugin.name === base);
    if (always !== undefined) return { name, plugin: always, origin: '', isBuiltIn: true };
    const folder = this.#folders.get(base);
    if (folder !== undefined) {
      const file = join(folder, `index${ownExtension}`);
      return { name, plugin: await importPlugin(name, file), origin: file, isBuiltIn: true };
    }
    return this.#findPackage(name, base);
  }

  async #findPackage(name: string, base: string): Promise<FoundPlugin> {
    const folder = findPackageFolder(base, this.#options.directory);
    if (folder === undefined) {
      const suggestion = suggestName(base, this.builtInNames);
      if (suggestion === '') throw kernelFailure('PLUGIN_PACKAGE_MISSING', { plugin: base });
      throw kernelFailure('PLUGIN_UNKNOWN', { plugin: name, suggestion });
    }
    const file = join(folder, findEntry(folder));
    return { name, plugin: await importForeign(name, file), origin: file, isBuiltIn: false };
  }
}

/** As `importPlugin`, for a plugin that may be made by another copy of this package. */
async function importForeign(name: string, file: string): Promise<Plugin> {
  const plugin = await importPlugin(name, file);
  refuseOtherVersion(name, plugin);
  return plugin;
}

function refuseOtherVersion(name: string, { madeBy }: Plugin): void {
  const other = findOtherVersion(madeBy);
  if (other !== undefined) throw kernelFailure('PLUGIN_OF_OTHER_VERSION', { plugin: name, ...other });
}

/** `.ts` when the kernel runs from its sources, `.js` when it is built: the built-in plugins are of the same kind. */
const ownExtension = extname(fileURLToPath(import.meta.url));

function isPath(name: string): boolean {
  return name.startsWith('.') || name.startsWith('/');
}

/** `ndjson/audit` → `ndjson`, `@acme/out/second` → `@acme/out`. */
function baseName(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function findFolders(roots: readonly string[]): Map<string, string> {
  const folders = new Map<string, string>();
  for (const root of roots.filter(existsSync)) {
    for (const entry of readdirSync(root, { withFileTypes: true })) {
      const folder = join(root, entry.name);
      if (existsSync(join(folder, `index${ownExtension}`))) folders.set(entry.name, folder);
    }
  }
  return folders;
}

async function importPlugin(name: string, file: string): Promise<Plugin> {
  if (!existsSync(file))
    throw kernelFailure('PLUGIN_UNKNOWN', { plugin: name, suggestion: ` There is no file ${file}.` });
  let module: { readonly default?: unknown };
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw kernelFailure('PLUGIN_IMPORT_FAILED', { plugin: name, file }, error);
  }
  if (isPlugin(module.default)) return module.default;
  const kind = findUnknownKind(module.default);
  if (kind === undefined) throw kernelFailure('PLUGIN_EXPORT_INVALID', { plugin: name, file });
  throw kernelFailure('PLUGIN_KIND_UNKNOWN', {
    file,
    kind,
    suggestion: suggestName(kind, pluginKinds),
    known: pluginKinds.join(', '),
  });
}

/** The kind of a value that would be a plugin if it had another kind. */
function findUnknownKind(value: unknown): string | undefined {
  const isPluginOtherwise = isPlugin({ ...(value as object), kind: pluginKinds[0] });
  return isPluginOtherwise ? String((value as { readonly kind?: unknown }).kind) : undefined;
}

function findPackageFolder(name: string, from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const folder = join(directory, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(directory) === directory) return undefined;
  }
}

/** The file that `import 'package'` would load. `require.resolve` fails for packages that only `import` can load. */
function findEntry(folder: string): string {
  const manifest = readManifest(join(folder, 'package.json'));
  const { exports, main } = manifest as { readonly exports?: unknown; readonly main?: string };
  return chooseExport(exports) ?? main ?? 'index.js';
}

/** A manifest that cannot be read counts as empty, so that index.js is tried. */
function readManifest(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) ?? {};
  } catch {
    return {};
  }
}

function chooseExport(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  if (typeof entry !== 'object' || entry === null) return undefined;
  const conditions = entry as Readonly<Record<string, unknown>>;
  for (const condition of ['.', 'node', 'import', 'default']) {
    const chosen = chooseExport(conditions[condition]);
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}
