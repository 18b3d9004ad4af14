import { lockDirectory } from '../../../src/storage/directory-lock.ts';

/** Locks each directory that the parent names, and says whether it got the lock. It never gives one back. */
process.on('message', async (directory: string) => {
  const settings = { onLost() {}, onWatch() {}, signal: new AbortController().signal };
  const outcome = await lockDirectory(directory, settings).then(
    () => 'locked',
    (error) => error.code,
  );
  process.send!(outcome);
});
process.send!('ready');
