import { defineErrors } from '../../../src/index.ts';
import { httpStartErrors } from './errors.ts';

export const httpStartFailure = defineErrors(httpStartErrors);
