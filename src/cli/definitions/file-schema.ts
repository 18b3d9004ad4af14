import { definitionKinds, definitionSchemas } from '../../definitions/schema/definition-kinds.ts';
import { suggestName } from '../../nearest-name.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { usageFailure } from '../terminal/usage-errors.ts';

/** `waywiser schema KIND`: the JSON Schema of one kind of definition file, for editors. */
export async function printFileSchema(name: string): Promise<number> {
  const kind = definitionKinds.find((known) => known === name);
  if (kind === undefined) {
    const known = definitionKinds.join(', ');
    throw usageFailure('FILE_KIND_UNKNOWN', {
      kind: name,
      suggestion: suggestName(name, definitionKinds),
      known,
    });
  }
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Waywiser ${kind}`,
    type: 'object',
    additionalProperties: definitionSchemas[kind],
  };
  console.log(JSON.stringify(schema, undefined, 2));
  return exitCodes.done;
}
