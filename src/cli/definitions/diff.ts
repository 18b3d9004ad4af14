import colours from 'picocolors';
import {
  diffDefinitions,
  type FieldChange,
  isUnchanged,
  listFieldChanges,
} from '../../definitions/changes/definition-diff.ts';
import { changeKinds } from '../../model/definition-changes.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { kindNames } from './definition-text.ts';
import { loadOffline } from './load-offline.ts';

/** `waywiser diff DIR DIR`: shows the differences between two definition directories, by id and by field. */
export async function diff(
  before: string,
  after: string,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const left = (await loadOffline(before)).compiled;
  const right = (await loadOffline(after)).compiled;
  const changes = diffDefinitions(left, right);
  const fields = listFieldChanges(left, right, changes);
  if (json) console.log(JSON.stringify({ changes, fields }, undefined, 2));
  else if (isUnchanged(changes)) console.log('No differences.');
  else {
    const touched: string[] = [];
    for (const kind of changeKinds) {
      const [one, many] = kindNames[kind];
      const { added, changed, removed } = changes[kind];
      const own = fields.filter((field) => field.kind === kind);
      const ids = new Set(own.map(({ id }) => id));
      for (const id of removed) console.log(colours.red(`- ${one} ${id}`));
      for (const id of added) console.log(colours.green(`+ ${one} ${id}`));
      for (const id of ids) {
        console.log(colours.yellow(`~ ${one} ${id}`));
        for (const line of formatFields(own.filter((field) => field.id === id))) console.log(`    ${line}`);
      }
      const others = changed.filter((id) => !ids.has(id));
      if (others.length > 0) touched.push(`  ${many} (${others.length}): ${others.join(', ')}`);
    }
    if (touched.length > 0) console.log(['Changed only through what they depend on:', ...touched].join('\n'));
  }
  return exitCodes.done;
}

/** Leaves out the kind and the syntax of fields, which follow from the syntax of the attribute. */
function formatFields(differences: readonly FieldChange[]): string[] {
  return differences
    .filter(({ path }) => !path.includes('fields') || path.at(-1) === 'field')
    .map(({ path, before, after }) => {
      const place = path
        .filter((_, step) => path[step] !== 'fields' && path[step - 1] !== 'fields')
        .join('.');
      if (before === undefined) return colours.green(`+ ${place}${show(after)}`);
      if (after === undefined) return colours.red(`- ${place}${show(before)}`);
      return `${place}${show(before)} → ${String(after)}`;
    });
}

/** A whole attribute or list is shown without its value. */
function show(value: unknown): string {
  return typeof value === 'object' ? '' : `: ${value}`;
}
