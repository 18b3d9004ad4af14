import type { Problem } from '../../model/definition-changes.ts';

/**
 * What is checked of a set of definitions as a whole. A warning has a meaning: the sentence says what happens instead. An
 * error means that nobody can tell what was meant.
 */
export const definitionRules = {
  'unknown-syntax': {
    level: 'error',
    sentence: 'The syntax of an attribute or an index part is none of the documented names.',
  },
  'augments-circle': {
    level: 'error',
    sentence: 'Objects augment each other in a circle, so that none of them has an index.',
  },
  'overrides-circle': {
    level: 'error',
    sentence:
      'Attributes override each other in a circle, so that none of them would be polled, or more than 64 in a row.',
  },
  'unknown-scale': {
    level: 'error',
    sentence:
      'The prefix or the precision of a scale is no attribute of its object or of one that it augments, so that nobody knows what the values mean.',
  },
  'scale-circle': {
    level: 'error',
    sentence:
      'The prefix or the precision of a scale is itself scaled: its number means nothing before its own scale is known.',
  },
  'unknown-reference': {
    level: 'warning',
    sentence:
      'A group, an object, a type or an attribute that is named does not exist. The reference is ignored; an object that augments nothing is left out; an object of an unknown type is polled at the device’s own interval.',
  },
  'unknown-discovery-attribute': {
    level: 'warning',
    sentence:
      'The discovery_attribute is no attribute of its object. Its column with the lowest OID is walked.',
  },
  'field-collision': {
    level: 'warning',
    sentence:
      'Two attributes of one record write the same field and neither overrides the other. The later one in file order is kept.',
  },
  'missing-enum': {
    level: 'warning',
    sentence: 'An enum syntax whose column has no enum. Values are kept as their numbers.',
  },
  'oid-outside-object': {
    level: 'warning',
    sentence:
      'The column is not beside the other columns of its object. It is polled where instances of the object exist.',
  },
  'implied-part-not-last': {
    level: 'warning',
    sentence:
      'An index part that takes all remaining arcs is not the last, so that no instance can be cut. Rows are labelled by their raw arcs.',
  },
  'scale-ignored': {
    level: 'warning',
    sentence: 'A scale on what is no gauge with a number. Values are emitted as their syntax gives them.',
  },
  'index-and-augments': {
    level: 'warning',
    sentence: 'An object has an index and augments another one. The index of the augmented object holds.',
  },
} as const satisfies Record<string, { readonly level: Problem['level']; readonly sentence: string }>;

export type DefinitionRule = keyof typeof definitionRules;
