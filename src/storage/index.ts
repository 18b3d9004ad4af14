/** For plugins that keep files: journals, record logs, whole files in one step. */

export { checkUnlocked } from './directory-lock.ts';
export { checkWritable, isDiskFull, isMissing } from './disk-failure.ts';
export { type FileSystem, nodeFileSystem } from './file-system.ts';
export { Journal, type JournalWriter } from './journal.ts';
export { replaceFile } from './replace-file.ts';
export { type FrameHead, findFrameHead, frameBytes, isIntact, writeFrameHead } from './segments/frame.ts';
export { RecordLog } from './segments/record-log.ts';
export { findStoredLog } from './segments/stored-log.ts';
export { writeAll } from './write-all.ts';
