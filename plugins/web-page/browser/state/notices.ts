import { signal } from '@preact/signals';
import { noticeFailure } from './connection.ts';

export interface Notice {
  readonly id: number;
  readonly level: 'done' | 'failed';
  readonly text: string;
}

export const notices = signal<readonly Notice[]>([]);

const shownMs = 8_000;
let lastId = 0;

/** Says what happened, for a few seconds; failures stay until they are closed. */
function notify(level: Notice['level'], text: string): void {
  const id = ++lastId;
  notices.value = [...notices.peek(), { id, level, text }].slice(-4);
  if (level === 'done') setTimeout(() => closeNotice(id), shownMs);
}

export function closeNotice(id: number): void {
  notices.value = notices.peek().filter((each) => each.id !== id);
}

/** Runs an action that somebody asked for, and says how it ended. A form shows its failures itself: `onFailed`. */
export async function act(
  run: () => Promise<string>,
  onFailed = (error: unknown) => notify('failed', error instanceof Error ? error.message : String(error)),
): Promise<void> {
  try {
    notify('done', await run());
  } catch (error) {
    noticeFailure(error);
    onFailed(error);
  }
}
