import type { Oid } from '../../model/oid.ts';
import type { CompiledAttribute, CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import { ownAttributes } from '../own-attributes.ts';
import type { DefinitionPath } from '../schema/raw-definitions.ts';
import { findSyntax } from '../syntax/syntax-table.ts';
import type { ReportStyle } from './style-rules.ts';

/** A place that names a field. */
interface FieldUse {
  readonly field: string;
  readonly path: DefinitionPath;
  /** Undefined for a part of an index. */
  readonly attribute: CompiledAttribute | undefined;
}

/** Checks how fields are spelled, and that each means the same everywhere. */
export function checkFields({ objects }: Pick<CompiledDefinitions, 'objects'>, report: ReportStyle): void {
  const uses = listUses(objects);
  const branches = new Map(uses.flatMap(({ field }) => parentsOf(field).map((branch) => [branch, field])));
  const meanings = new Map<string, { readonly meaning: string; readonly name: string }>();
  for (const { field, path, attribute } of uses) {
    checkSpelling(field, path, report);
    const below = branches.get(field);
    if (below !== undefined) {
      report(
        'style-field-branch',
        path,
        `“${field}” is a value here and a prefix of “${below}”. Rename one of them.`,
      );
    }
    if (attribute === undefined) continue;
    const meaning = meaningOf(attribute);
    const earlier = meanings.get(field);
    if (earlier === undefined) meanings.set(field, { meaning, name: `${path[1]} ${attribute.name}` });
    else if (earlier.meaning !== meaning) {
      const message = `“${field}” is ${meaning} here and ${earlier.meaning} in ${earlier.name}. Make them agree, or rename one.`;
      report('style-field-meaning', path, message);
    }
  }
  checkColumns(objects, report);
}

function listUses(objects: CompiledDefinitions['objects']): FieldUse[] {
  return [...objects.values()].flatMap(({ id, index, augments, attributes }) => [
    ...(augments === undefined ? index : []).flatMap(({ field }, position): FieldUse[] =>
      field === undefined
        ? []
        : [{ field, path: ['objects', id, 'index', position, 'name'], attribute: undefined }],
    ),
    ...[...attributes.values()].flatMap((attribute): FieldUse[] =>
      attribute.fields.slice(0, 1).map(({ field }) => ({
        field,
        path: ['objects', id, 'attributes', attribute.name, 'name'],
        attribute,
      })),
    ),
  ]);
}

function checkSpelling(field: string, path: DefinitionPath, report: ReportStyle): void {
  if (!/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/.test(field)) {
    const message = `“${field}” is not a dotted path in lower case. Write it from the general to the detail, such as \`netif.packets.in\`.`;
    report('style-field', path, message);
  }
  const unit =
    /_(bytes|bits|bps|ms|msec|sec|seconds|minutes|percent|pct|celsius|volts|amps|watts|hz|dbm)$/.exec(field);
  if (unit !== null) {
    const message = `“${field}” ends with a unit. Remove “${unit[0]}”: the unit belongs in the syntax or in \`unit\`.`;
    report('style-field-unit', path, message);
  }
}

function parentsOf(field: string): string[] {
  const steps = field.split('.');
  return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('.'));
}

function meaningOf({ fields, syntax, metric, unit }: CompiledAttribute): string {
  const kind = fields[0]?.kind === 'counter' ? 'number' : fields[0]?.kind;
  return `${metric ?? 'no metric'} (${kind}, ${unit ?? findSyntax(syntax)?.unit ?? 'no unit'})`;
}

function checkColumns(objects: CompiledDefinitions['objects'], report: ReportStyle): void {
  const readers = new Map<Oid, string>();
  for (const { id, attributes, rows } of objects.values()) {
    // Objects that choose rows divide a table.
    if (rows !== undefined) continue;
    for (const { name, column, fields } of ownAttributes(attributes)) {
      // Names, states and scales serve several objects of one table.
      if (fields.length === 0) continue;
      const earlier = readers.get(column);
      if (earlier === undefined) readers.set(column, `${id} ${name}`);
      else {
        const message = `“${name}” reads .${column}, which ${earlier} also reads. Keep one of them.`;
        report('style-column-twice', ['objects', id, 'attributes', name, 'oid'], message);
      }
    }
  }
}
