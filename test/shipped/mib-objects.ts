import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MibObject {
  readonly mib: string;
  readonly name: string;
  readonly oid: string;
  /** As the SYNTAX clause spells it, without its range. */
  readonly syntax: string;
  readonly access: string;
  /** The names of the INDEX clause, without IMPLIED. */
  readonly index: readonly string[] | undefined;
}

/** The OBJECT-TYPEs of every MIB in `folder`: as much of SMI as these facts need. */
export function readMibObjects(folder: string): MibObject[] {
  const nodes = readdirSync(folder, { encoding: 'utf8' }).flatMap((file) =>
    readNodes(withoutText(readFileSync(join(folder, file), 'utf8'))),
  );
  const parents = new Map(nodes.map((node) => [node.name, node.value]));
  return nodes.flatMap(({ mib, name, kind, body, value }) =>
    kind === 'OBJECT-TYPE'
      ? [
          {
            mib,
            name,
            oid: resolve(value, parents),
            syntax:
              /SYNTAX\s+([\w-]+(?:\s+(?:OF|STRING|IDENTIFIER)\b)?)/.exec(body)?.[1]?.replace(/\s+/, ' ') ??
              '',
            access: /ACCESS\s+([\w-]+)/.exec(body)?.[1] ?? '',
            index: /\bINDEX\s*\{([^}]*)\}/
              .exec(body)?.[1]
              ?.split(',')
              .map((part) => part.replace('IMPLIED', '').trim()),
          },
        ]
      : [],
  );
}

interface Node {
  readonly mib: string;
  readonly name: string;
  readonly kind: string;
  readonly body: string;
  readonly value: string;
}

const macro =
  /^\s*([a-z][\w-]*)\s+(OBJECT-TYPE|MODULE-IDENTITY|OBJECT-IDENTITY|NOTIFICATION-TYPE|OBJECT\s+IDENTIFIER(?=\s*::=))(.*?)::=\s*\{([^}]*)\}/gms;

function readNodes(text: string): Node[] {
  const mib = /([A-Z][\w-]*)\s+DEFINITIONS/.exec(text)?.[1] ?? '';
  return [...text.matchAll(macro)].map(([, name = '', kind = '', body = '', value = '']) => ({
    mib,
    name,
    kind,
    body,
    value,
  }));
}

/** Without comments and quoted texts. */
function withoutText(text: string): string {
  return text.replace(/"[^"]*"|--.*?(?:--|$)/gm, '');
}

const roots: Readonly<Record<string, string>> = { iso: '1', org: '1.3' };

function resolve(value: string, parents: ReadonlyMap<string, string>): string {
  const [first = '', ...rest] = value.trim().split(/\s+/);
  const tail = rest.map((part) => /(\d+)\)?$/.exec(part)?.[1]);
  const parent = parents.get(first);
  const head =
    parent === undefined ? (roots[first] ?? /(\d+)\)?$/.exec(first)?.[1] ?? first) : resolve(parent, parents);
  return [head, ...tail].join('.');
}
