import { createPostgresOutput } from './postgres-output.ts';

export default createPostgresOutput(() => import('pg'));
