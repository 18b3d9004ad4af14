import { statSync } from 'node:fs';
import {
  describeFields,
  diffDefinitions,
  type FieldText,
  isUnchanged,
  listFieldChanges,
} from '../../src/definitions/index.ts';
import { changeKinds } from '../../src/model/definition-changes.ts';
import { findConfig, readChosen, type SetOptions } from '../choose-set.ts';
import { kindNames } from '../definition-text.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';

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
        for (const field of describeFields(own.filter((field) => field.id === id)))
          console.log(`    ${formatField(field)}`);
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

function formatField({ path, before, after }: FieldText): string {
  if (before === undefined) return colours.green(`+ ${path}${show(after)}`);
  if (after === undefined) return colours.red(`- ${path}${show(before)}`);
  return `${path}${show(before)} → ${after}`;
}

/** A whole attribute or list is shown without its value. */
function show(text = ''): string {
  return text === '' ? '' : `: ${text}`;
}
