import type { DefinitionPath } from '../schema/raw-definitions.ts';

/**
 * The style guide of definitions/README.md, as far as a program can tell. Breaking a rule changes nothing about what is
 * polled: people and other definitions find their way by it.
 */
export const styleRules = {
  'style-id': {
    level: 'warning',
    sentence: 'The id of an object is not its `mib`, two colons and its `object`.',
  },
  'style-type': {
    level: 'warning',
    sentence: 'An object has no `type`, so that every device polls it at its own interval.',
  },
  'style-discovery': {
    level: 'warning',
    sentence:
      'A table names no `discovery_attribute`: the column with the lowest OID need not exist everywhere.',
  },
  'style-identity': {
    level: 'warning',
    sentence: 'Rows carry neither a part of their index nor a tag: nobody can tell one from another.',
  },
  'style-ungrouped': {
    level: 'warning',
    sentence: 'No object group asks for the object.',
  },
  'style-description': {
    level: 'warning',
    sentence:
      'An attribute has no description, or one that is not a single line of 4 to 120 letters without a full stop.',
  },
  'style-metric': {
    level: 'warning',
    sentence: 'A `metric` stands on what is no number.',
  },
  'style-unit': {
    level: 'warning',
    sentence: 'A gauge has no unit, neither by its syntax nor by `unit`; a plain number has the unit "1".',
  },
  'style-unit-again': {
    level: 'warning',
    sentence: 'The `unit` is another one than the syntax makes.',
  },
  'style-field': {
    level: 'warning',
    sentence: 'A field is not a dotted path in lower case, such as `netif.packets.in`.',
  },
  'style-field-unit': {
    level: 'warning',
    sentence: 'A field ends with a unit, which belongs into `unit` or follows from the syntax.',
  },
  'style-field-branch': {
    level: 'warning',
    sentence: 'A field is a value here and a branch of other fields elsewhere.',
  },
  'style-field-meaning': {
    level: 'warning',
    sentence: 'A field has another unit, metric or kind than elsewhere.',
  },
  'style-column-twice': {
    level: 'warning',
    sentence: 'Two attributes read the same column.',
  },
} as const satisfies Record<string, { readonly level: 'warning'; readonly sentence: string }>;

export type StyleRule = keyof typeof styleRules;

export interface StyleProblem {
  readonly level: 'warning';
  readonly rule: StyleRule;
  readonly message: string;
  readonly path: DefinitionPath;
}

export type ReportStyle = (rule: StyleRule, path: DefinitionPath, message: string) => void;
