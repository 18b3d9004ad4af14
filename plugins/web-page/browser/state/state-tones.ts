/** Which of the five colours of states a word gets. */
const tones: Readonly<Record<string, string>> = {
  up: 'ok',
  ok: 'ok',
  enabled: 'ok',
  started: 'ok',
  completed: 'ok',
  established: 'ok',
  cleared: 'ok',
  normal: 'ok',
  suspect: 'warn',
  recovering: 'warn',
  warning: 'warn',
  minor: 'warn',
  waiting: 'warn',
  testing: 'warn',
  dormant: 'warn',
  down: 'bad',
  failed: 'bad',
  critical: 'bad',
  major: 'bad',
  error: 'bad',
  lowerLayerDown: 'bad',
  emergency: 'bad',
  alert: 'bad',
  running: 'info',
  info: 'info',
  informational: 'info',
  notice: 'info',
};

export function toneOf(state: string): string {
  return tones[state] ?? 'quiet';
}
