import { defineErrors } from '../../kernel/errors.ts';
import { deviceCommandErrors } from './errors.ts';

export const deviceCommandFailure = defineErrors(deviceCommandErrors);
