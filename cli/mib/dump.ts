import { stderr, stdout } from 'node:process';
import type { Writable } from 'node:stream';
import type { MibModule, MibNode, MibSet } from '../../authoring/mib/index.ts';
import { compareOids } from '../../src/model/oid.ts';
import { cliFailure } from '../cli-errors.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';
import { TextOutput } from '../terminal/text-output.ts';
import { formatJsonLine } from './mib-text.ts';
import { openMibs } from './open-mibs.ts';

/** `waywiser mib dump PATH…`: prints every node, module by module, and waits while the reader is slower. */
export async function dumpMibs(
  paths: readonly string[],
  { json = false }: { readonly json?: boolean },
  stream: Writable = stdout,
): Promise<number> {
  const set = openMibs(paths);
  const modules = set.modules();
  if (modules.length === 0) throw cliFailure('MIB_MODULES_MISSING', { paths: paths.join(', ') });
  const output = new TextOutput(stream);
  for (const text of json ? jsonOf(modules) : tablesOf(modules)) {
    if (!(await output.print(text))) return exitCodes.done;
  }
  warnOfErrors(set);
  return exitCodes.done;
}

/** A write for each line would take longer than all the rest, and all lines of a large module need not fit into one string. */
const charactersPerWrite = 16_384;

function* jsonOf(modules: readonly MibModule[]): Generator<string> {
  const format = new NodeFormat();
  let text = '';
  for (const { nodes } of modules) {
    for (const node of nodes) {
      text += `${format.line(node)}\n`;
      if (text.length < charactersPerWrite) continue;
      yield text;
      text = '';
    }
  }
  yield text;
}

const enumsMark = ',"enums":0';

/** Writes the enum that many nodes share as JSON once. */
class NodeFormat {
  readonly #enums = new WeakMap<object, string>();

  line(node: MibNode): string {
    const { enums } = node;
    if (enums === undefined) return formatJsonLine(node);
    let text = this.#enums.get(enums);
    if (text === undefined) {
      text = formatJsonLine(enums);
      this.#enums.set(enums, text);
    }
    const line = formatJsonLine(node, (key, value) => (key === 'enums' ? 0 : value));
    // Nothing before it can contain this: quotation marks inside a JSON string have a backslash.
    const at = line.indexOf(enumsMark);
    return `${line.slice(0, at)},"enums":${text}${line.slice(at + enumsMark.length)}`;
  }
}

function* tablesOf(modules: readonly MibModule[]): Generator<string> {
  let before = '';
  for (const { name, file, nodes } of modules) {
    const rows = [...typeRows(nodes), ...treeRows(nodes)];
    const table = rows.length === 0 ? '' : `${formatTable(['name', 'kind', 'type', 'oid'], rows)}\n`;
    yield `${before}${colours.bold(plainText(name))}  ${colours.dim(plainText(file))}\n${table}`;
    before = '\n';
  }
}

function typeRows(nodes: readonly MibNode[]): string[][] {
  return nodes.filter(({ oid }) => oid === undefined).map((node) => rowOf(node, 0));
}

/** In the order of OIDs, each below the node of this module that its OID begins with. */
function treeRows(nodes: readonly MibNode[]): string[][] {
  const sorted = nodes.filter(({ oid }) => oid !== undefined).sort((a, b) => compareOids(a.oid!, b.oid!));
  const above: string[] = [];
  return sorted.map((node) => {
    while (above.length > 0 && !`${node.oid}.`.startsWith(`${above.at(-1)}.`)) above.pop();
    const row = rowOf(node, above.length);
    if (above.at(-1) !== node.oid) above.push(node.oid!);
    return row;
  });
}

function rowOf({ name, kind, type, typeName, oid }: MibNode, depth: number): string[] {
  const shown =
    type === undefined || typeName === undefined || typeName === type
      ? (typeName ?? type)
      : `${typeName} (${type})`;
  return [`${'  '.repeat(depth)}${plainText(name)}`, kind, plainText(shown ?? ''), oid ?? ''];
}

function warnOfErrors(set: MibSet): void {
  const errors = set.problems().filter(({ level }) => level === 'error').length;
  if (errors === 0) return;
  stderr.write(
    `${colours.yellow('warning:')} ${counted(errors, 'error')} in these files: some definitions are left out. \`waywiser mib check\` lists them.\n`,
  );
}
