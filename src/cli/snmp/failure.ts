import { defineErrors } from '../../kernel/errors.ts';
import { snmpCommandErrors } from './errors.ts';

export const snmpCommandFailure = defineErrors(snmpCommandErrors);
