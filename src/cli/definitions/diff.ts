import { statSync } from 'node:fs';
import {
  diffDefinitions,
  type FieldChange,
  isUnchanged,
  listFieldChanges,
} from '../../definitions/changes/definition-diff.ts';
import { changeKinds } from '../../model/definition-changes.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { findConfig, readChosen, type SetOptions } from './choose-set.ts';
import { kindNames } from './definition-text.ts';

/**
 * `waywiser diff BEFORE [AFTER]`: shows the differences between two sets of definitions, by id and by field. Each is a directory or
 * a configuration file. Without AFTER, it is the configuration, and BEFORE takes the place of its directories.
 */
export async function diff(
  before: string,
  after: string | undefined,
  { json, ...options }: Pick<SetOptions, 'config' | 'shipped'> & { readonly json?: boolean },
): Promise<number> {
  const own = { ...options, config: findConfig(options) };
  const left = (await readSide(before, after === undefined ? own : options)).compiled;
  const right = (await (after === undefined ? readChosen(own) : readSide(after, options))).compiled;
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

/** A file is a configuration. */
function readSide(path: string, options: SetOptions): ReturnType<typeof readChosen> {
  const isConfig = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return readChosen({ ...options, ...(isConfig ? { config: path } : { directory: path }) });
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
