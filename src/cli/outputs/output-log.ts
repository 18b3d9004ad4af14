/** An error as the log describes it. */
export interface LoggedError {
  readonly message: string;
  readonly code?: string;
  readonly cause?: LoggedError | string | readonly (LoggedError | string)[];
}

/** A log that keeps what one plugin tells: its sentences, and the last error. */
export class OutputLog {
  readonly #plugin: string;
  readonly #onSentence: (text: string) => void;
  lastError: LoggedError | undefined;

  constructor(plugin: string, onSentence: (text: string) => void) {
    this.#plugin = plugin;
    this.#onSentence = onSentence;
  }

  /** For the logger: takes a line. */
  write(line: string): void {
    const { plugin, level, message, error } = JSON.parse(line);
    if (plugin !== this.#plugin) return;
    if (error !== undefined) this.lastError = error;
    else if (level === 'info') this.#onSentence(message);
  }
}

/** What caused an error, the outermost first. */
export function listLoggedCauses({ cause }: LoggedError): string[] {
  return [cause ?? []]
    .flat()
    .flatMap((each) => (typeof each === 'string' ? [each] : [each.message, ...listLoggedCauses(each)]));
}
