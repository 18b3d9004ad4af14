import { defineErrors } from '../../kernel/errors.ts';
import { connectionErrors } from './errors.ts';

/** Makes an error of the table: what keeps an output from its server, and what to do. */
export const connectionFailure = defineErrors(connectionErrors);
