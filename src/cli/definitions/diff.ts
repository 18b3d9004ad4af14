import colours from 'picocolors';
import { changeKinds } from '../../model/definition-changes.ts';
import {
  diffDefinitions,
  type FieldChange,
  isUnchanged,
  listFieldChanges,
} from '../../model/definitions/generation/definition-diff.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { loadOffline } from './load-offline.ts';

/** `waywiser diff DIR DIR`: what differs between two definition directories, by id and by field. */
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
  else if (isUnchanged(changes)) console.log('No difference.');
  else {
    for (const kind of changeKinds) {
      const { added, changed, removed } = changes[kind];
      for (const id of added) console.log(colours.green(`+ ${kind} ${id}`));
      for (const id of removed) console.log(colours.red(`- ${kind} ${id}`));
      for (const id of changed) {
        console.log(colours.yellow(`~ ${kind} ${id}`));
        console.log(formatFields(fields.filter((field) => field.kind === kind && field.id === id)));
      }
    }
  }
  return exitCodes.done;
}

function formatFields(fields: readonly FieldChange[]): string {
  if (fields.length === 0) return colours.dim('    through what it depends on');
  return fields
    .map(({ path, before, after }) => `    ${path.join('.')}: ${show(before)} → ${show(after)}`)
    .join('\n');
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
