/** A recording that cannot be served: the message names the file and the line, and says what to do. */
export class RecordingError extends Error {
  readonly code = 'RECORDING_INVALID';
  override readonly name = 'RecordingError';

  constructor(file: string, line: number, problem: string) {
    super(`${file}:${line}: ${problem}`);
  }
}
