import type { Problem } from '../model/definition-changes.ts';

/**
 * The rules for a set of definitions as a whole. Each warning has a defined meaning: its sentence says what happens instead.
 * An error means that the definition has no meaning.
 */
export const definitionRules = {
  'unknown-syntax': {
    level: 'error',
    sentence: 'The syntax of an attribute or an index part is not one of the documented names.',
  },
  'augments-circle': {
    level: 'error',
    sentence: 'Objects augment each other in a circle, so none of them has an index.',
  },
  'overrides-circle': {
    level: 'error',
    sentence:
      'Attributes override each other in a circle, so none of them would be polled, or in a chain of more than 64.',
  },
  'replaces-circle': {
    level: 'error',
    sentence: 'Objects replace each other in a circle, so none of them would be collected.',
  },
  'empty-device-group': {
    level: 'error',
    sentence: 'A device group has neither `objects` nor `object_groups`, so nothing says what to poll.',
  },
  'unknown-scale': {
    level: 'error',
    sentence:
      'A column that a scale names is not an attribute of its object or of an object that it augments, so the scale of the values is unknown.',
  },
  'scale-circle': {
    level: 'error',
    sentence: 'A column that a scale names has a scale of its own.',
  },
  'unknown-column': {
    level: 'warning',
    sentence:
      'A template, a state, a limit or a condition for rows names neither an attribute of its object or of an object that it augments, nor a column of the index. That part of the label, the state, the limit or the condition is left out.',
  },
  'wrong-lookup': {
    level: 'error',
    sentence:
      'An attribute with `at` names a part of the index that its object does not have, or it is a value: only labels and texts of templates are read in another table.',
  },
  'unknown-class': {
    level: 'error',
    sentence:
      'A column that a class names is not an attribute of its object or of an object that it augments, so what the sensor measures is unknown.',
  },
  'sensor-incomplete': {
    level: 'warning',
    sentence:
      'A sensor can have no value: it measures something but its syntax makes no number, or it has only a state and names no values for it.',
  },
  'vocabulary-word': {
    level: 'warning',
    sentence: 'A label or a field of a record of docs/vocabulary.md is not in the vocabulary.',
  },
  'vocabulary-unit': {
    level: 'warning',
    sentence: 'A value has another unit or another metric than docs/vocabulary.md says.',
  },
  'unknown-reference': {
    level: 'warning',
    sentence:
      'A group, an object, a type or an attribute does not exist. The reference is ignored. An object that augments an unknown object is left out. An object of an unknown type is polled at the device’s own interval.',
  },
  'unknown-discovery-attribute': {
    level: 'warning',
    sentence:
      'The `discovery_attribute` is not an attribute of its object. The column with the lowest OID is walked.',
  },
  'field-collision': {
    level: 'warning',
    sentence:
      'Two attributes of one record write the same field and neither overrides the other. Both are read. Each row gets the value of the later one in file order, or of the other one where that one has no value.',
  },
  'missing-enum': {
    level: 'warning',
    sentence: 'The syntax needs an enum, but the column has none. Values stay numbers.',
  },
  'oid-outside-object': {
    level: 'warning',
    sentence:
      'The column is not under the same OID as the other columns of its object. It is read at the rows of the object. A column of another table with the same index belongs in an object that augments this one.',
  },
  'implied-part-not-last': {
    level: 'warning',
    sentence:
      'An index part that takes all remaining arcs is not the last one, so instances cannot be split. Rows get the label `index.raw` with their arcs.',
  },
  'scale-ignored': {
    level: 'warning',
    sentence: 'The attribute with a scale is not a numeric gauge. The scale is ignored.',
  },
  'notification-defined-twice': {
    level: 'warning',
    sentence: 'Two notifications have the same OID. The later one in file order is used.',
  },
  'notification-clears-itself': {
    level: 'warning',
    sentence: 'A notification clears itself without `clears_when`. That entry of `clears` is ignored.',
  },
  'unknown-field': {
    level: 'warning',
    sentence:
      'A notification names a field that no object and no attribute writes. Messages and identities are made without it.',
  },
  'index-and-augments': {
    level: 'warning',
    sentence:
      'An object has an index and augments another object. The index of the augmented object is used.',
  },
} as const satisfies Record<string, { readonly level: Problem['level']; readonly sentence: string }>;

export type DefinitionRule = keyof typeof definitionRules;
