import { defineErrors } from '../../kernel/errors.ts';
import { initErrors } from './errors.ts';

export const initFailure = defineErrors(initErrors);
