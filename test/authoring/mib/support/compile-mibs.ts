import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type MibNode, MibSet } from '../../../../authoring/mib/index.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A set over files with these names and texts. */
export function openMibs(test: TestContext, files: Readonly<Record<string, string | Uint8Array>>): MibSet {
  const folder = temporaryFolder(test);
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return new MibSet([folder]);
}

/** A module T-MIB around the definitions, which may use `acme` (1.3.6.1.4.1.9999). */
export function moduleOf(definitions: string, imports = 'enterprises FROM SNMPv2-SMI'): string {
  return `T-MIB DEFINITIONS ::= BEGIN
IMPORTS ${imports};
acme OBJECT IDENTIFIER ::= { enterprises 9999 }
${definitions}
END
`;
}

export interface Compiled {
  readonly nodes: Readonly<Record<string, MibNode>>;
  /** As `level rule line:column`. */
  readonly problems: readonly string[];
}

/** The nodes of T-MIB by their names. */
export function compile(test: TestContext, text: string | Uint8Array): Compiled {
  const set = openMibs(test, { 'T-MIB.txt': text });
  const nodes = set.modules().flatMap((module) => module.nodes);
  const problems = set
    .problems()
    .map(({ level, rule, line, column }) => `${level} ${rule} ${line}:${column}`);
  return { nodes: Object.fromEntries(nodes.map((node) => [node.name, node])), problems };
}

/** An OBJECT-TYPE of SMIv2. */
export function object(name: string, syntax: string, value: string, clauses = ''): string {
  return `${name} OBJECT-TYPE SYNTAX ${syntax} MAX-ACCESS read-only STATUS current DESCRIPTION "D" ${clauses} ::= { ${value} }\n`;
}

/** A table with a row `${name}Entry` and the index column `${name}Index`. */
export function table(name: string, value: string, linkage = `INDEX { ${name}Index }`): string {
  const row = name[0]!.toUpperCase() + name.slice(1);
  return `${object(`${name}Table`, `SEQUENCE OF ${row}Entry`, value)}
${object(`${name}Entry`, `${row}Entry`, `${name}Table 1`, linkage)}
${row}Entry ::= SEQUENCE { ${name}Index INTEGER }
${object(`${name}Index`, 'INTEGER (1..10)', `${name}Entry 1`)}`;
}
