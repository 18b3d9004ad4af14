import { defineLoader } from './define-loader.ts';
import { startThread } from './worker/start-thread.ts';

export default defineLoader(startThread);
