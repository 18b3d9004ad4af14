import type { DefinitionPath } from '../schema/raw-definitions.ts';

/**
 * The rules of the style guide in definitions/README.md that a program can check. Breaking a rule changes nothing about what
 * is polled; the rules keep definitions easy to find and alike.
 */
export const styleRules = {
  'style-id': {
    level: 'warning',
    sentence: 'The id of an object is not its `mib`, two colons and its `object`.',
  },
  'style-type': {
    level: 'warning',
    sentence: 'An object has no `type`, so every device polls it at its own interval.',
  },
  'style-discovery': {
    level: 'warning',
    sentence:
      'A table names no `discovery_attribute`, so the column with the lowest OID is walked, which may not exist everywhere.',
  },
  'style-identity': {
    level: 'warning',
    sentence: 'Rows have neither a label from their index nor a tag, so they cannot be distinguished.',
  },
  'style-ungrouped': {
    level: 'warning',
    sentence: 'An object is collected on request only, and no object group contains it.',
  },
  'style-description': {
    level: 'warning',
    sentence:
      'An attribute has no description, or one that is not a single line of 4 to 120 characters without a full stop.',
  },
  'style-metric': {
    level: 'warning',
    sentence: 'An attribute that is not a number has a `metric`.',
  },
  'style-unit': {
    level: 'warning',
    sentence:
      'A gauge has no unit, neither from its syntax nor from `unit`. A plain number has the unit "1".',
  },
  'style-unit-again': {
    level: 'warning',
    sentence: 'The `unit` differs from the unit of the syntax.',
  },
  'style-field': {
    level: 'warning',
    sentence: 'A field is not a dotted path in lower case, such as `netif.packets.in`.',
  },
  'style-field-unit': {
    level: 'warning',
    sentence: 'A field name ends with a unit. The unit belongs in `unit`, or follows from the syntax.',
  },
  'style-field-branch': {
    level: 'warning',
    sentence: 'A field is a value here and a prefix of other fields elsewhere.',
  },
  'style-field-meaning': {
    level: 'warning',
    sentence: 'A field has a different unit, metric or kind elsewhere.',
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
