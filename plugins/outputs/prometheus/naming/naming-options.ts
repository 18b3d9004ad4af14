import { Type } from '../../../../src/index.ts';

/** The options of every output that names series as Prometheus wants them. */
export const namingOptions = {
  prefix: Type.String({
    pattern: '^[a-z_][a-z0-9_]*$',
    default: 'snmp_',
    description: 'what every name begins with',
  }),
  state_sets: Type.Array(Type.String(), {
    default: [],
    description: 'fields of named values that become state sets instead of labels of an info metric',
  }),
};
