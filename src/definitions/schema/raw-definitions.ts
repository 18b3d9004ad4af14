import type { Static } from '../../typebox.ts';
import type { DeepReadonly } from '../keywords/keyword.ts';
import type { definitionSchemas } from './definition-kinds.ts';

/**
 * A set of definitions as the files spell it: checked against the schemas, by id, with all roots merged. Ids keep the order
 * of the files. Keys are those of the files; a key that a file leaves out is absent, never undefined.
 */
export type RawDefinitions = {
  readonly [Kind in keyof typeof definitionSchemas]: ReadonlyMap<string, RawEntry<Kind>>;
};

/** One definition as its file spells it, by the kind of file. */
export type RawEntry<Kind extends keyof typeof definitionSchemas> = DeepReadonly<
  Static<(typeof definitionSchemas)[Kind]>
>;

export type RawDevice = RawEntry<'devices'>;
export type RawObject = RawEntry<'objects'>;
export type RawAttribute = RawObject['attributes'][string];

/** A place in a set of definitions: kind, id, then keys and positions inside the entry. */
export type DefinitionPath = readonly [keyof RawDefinitions, string, ...(string | number)[]];
