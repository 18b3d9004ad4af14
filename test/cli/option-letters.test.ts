import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Command, Option } from 'commander';
import { createProgram } from '../../cli/program.ts';

it('an option letter means the same in every command', () => {
  const meanings = new Map<string, Set<string>>();
  for (const command of listCommands(createProgram(async () => {}))) {
    for (const option of command.options) {
      if (option.short === undefined) continue;
      const known = meanings.get(option.short) ?? new Set();
      meanings.set(option.short, known.add(meaningOf(option)));
    }
  }
  assert.ok(meanings.size > 10, 'no options were found');
  const several = [...meanings]
    .filter(([, each]) => each.size > 1)
    .map(([letter, each]) => [letter, ...each]);
  assert.deepEqual(several, []);
});

/** The long name; an option without one is known by its value, such as `<community>`. */
function meaningOf({ long, flags }: Option): string {
  return long ?? flags.slice(3);
}

function listCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}
