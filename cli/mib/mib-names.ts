import type { MibNode, MibSet } from '../../authoring/mib/index.ts';
import { normalizeOid } from '../../src/model/oid.ts';
import { suggestName } from '../../src/nearest-name.ts';
import { cliFailure } from '../cli-errors.ts';

/** A node, and the instance or the OID below it that a person or a device means. */
export interface NamedInstance {
  readonly node: MibNode;
  /** Empty, or such as `1.3`. */
  readonly suffix: string;
}

/**
 * What a name or an OID means, with an instance or without: `ifDescr.1`, `IF-MIB::ifDescr`, `1.3.6.1.2.1.2`. Several nodes where several
 * modules define the name. Throws MIB_NAME_UNKNOWN or MIB_OID_UNKNOWN.
 */
export function lookUp(set: MibSet, word: string, paths: readonly string[]): readonly NamedInstance[] {
  const oid = normalizeOid(word);
  if (oid !== undefined) {
    const found = set.findByOid(oid);
    if (found === undefined) throw cliFailure('MIB_OID_UNKNOWN', { oid, paths: paths.join(', ') });
    return [found];
  }
  const [, name = word, suffix = ''] = /^(.*?)\.?((?<=\.)\d+(?:\.\d+)*)?$/.exec(word) ?? [];
  const nodes = set.findByName(name).filter(({ oid }) => suffix === '' || oid !== undefined);
  if (nodes.length === 0) {
    const suggestion = suggestName(name, listNames(set, name));
    throw cliFailure('MIB_NAME_UNKNOWN', { name, paths: paths.join(', '), suggestion });
  }
  return nodes.map((node) => descend(set, node, suffix));
}

/** The OID that a word of the command line means. Throws also MIB_NAME_AMBIGUOUS. */
export function resolveOid(set: MibSet, word: string, paths: readonly string[]): string {
  const numeric = normalizeOid(word);
  if (numeric !== undefined) return numeric;
  const found = lookUp(set, word, paths).filter(({ node }) => node.oid !== undefined);
  const oids = new Set(found.map(({ node, suffix }) => joinOid(node.oid!, suffix)));
  const [oid, ...others] = oids;
  if (oid === undefined)
    throw cliFailure('MIB_NAME_UNKNOWN', { name: word, paths: paths.join(', '), suggestion: '' });
  if (others.length === 0) return oid;
  const choices = [...new Set(found.map((each) => nameOf(each)))].join(', ');
  throw cliFailure('MIB_NAME_AMBIGUOUS', { name: word, choices });
}

/** As in `IF-MIB::ifDescr.1`. */
export function nameOf({ node, suffix }: NamedInstance): string {
  return joinOid(`${node.module}::${node.name}`, suffix);
}

/** Below a node that has no instances, the numbers may lead to another node: `enterprises.9.9`. */
function descend(set: MibSet, node: MibNode, suffix: string): NamedInstance {
  if (suffix === '' || node.kind === 'scalar' || node.kind === 'column') return { node, suffix };
  return set.findByOid(joinOid(node.oid!, suffix)) ?? { node, suffix };
}

/** The names that a wrong one is compared with: in the module that it names, where that exists. */
function listNames(set: MibSet, name: string): Iterable<string> {
  const [module, own] = name.split('::', 2) as [string, string?];
  if (own === undefined) {
    return new Set(set.modules().flatMap(({ nodes }) => nodes.map((node) => node.name)));
  }
  const nodes = set.module(module)?.nodes;
  if (nodes !== undefined) return nodes.map((node) => `${module}::${node.name}`);
  return set.modules().map((other) => `${other.name}::${own}`);
}

function joinOid(oid: string, suffix: string): string {
  return suffix === '' ? oid : `${oid}.${suffix}`;
}
