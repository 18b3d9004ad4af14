import { defineLoader } from './define-loader.ts';
import { startThread } from './worker/start-thread.ts';

export * from './service.ts';

export default defineLoader(startThread);
