import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainError } from '../../src/index.ts';
import type { EngineState } from '../../src/snmp/index.ts';
import { replaceFile } from '../../src/storage/index.ts';
import { trapFailure } from './errors.ts';

/** At this number no message is timely any more (RFC 3414 §2.2.2). */
export const lastBoots = 0x7fffffff;
const minutesTo2020 = Date.UTC(2020, 0, 1) / 60_000;

/** The engine of this receiver: what senders of informs know it by. */
export interface OwnEngineState {
  readonly id: Buffer;
  /** How often it has started, this time included. */
  readonly boots: number;
}

/**
 * Reads the engine of the state directory, counts this start, and syncs it to the disk. Without a file it is a new engine; with a
 * configured ID the boots then begin at the minutes since 2020, so that they never fall. Throws TRAP_ENGINE_STATE for a damaged file.
 */
export function startEngine(stateDirectory: string, configuredId: string, nowMs: number): OwnEngineState {
  const path = join(stateDirectory, 'snmp-traps', 'engine.json');
  const known = readEngine(path);
  const wanted = configuredId.toLowerCase();
  const isSame = known !== undefined && (wanted === '' || wanted === known.id);
  const id = isSame ? known.id : wanted === '' ? newEngineId() : wanted;
  const first = wanted === '' ? 1 : Math.floor(nowMs / 60_000) - minutesTo2020;
  const boots = Math.min(lastBoots, isSame ? known.boots + 1 : first);
  try {
    replaceFile(path, [`${JSON.stringify({ engineId: id, boots })}\n`]);
  } catch (error) {
    throw trapFailure('TRAP_ENGINE_STATE', { path, reason: explainError(error) });
  }
  return { id: Buffer.from(id, 'hex'), boots };
}

function readEngine(path: string): { readonly id: string; readonly boots: number } | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw trapFailure('TRAP_ENGINE_STATE', { path, reason: explainError(error) });
  }
  try {
    const { engineId, boots } = JSON.parse(text) as Record<string, unknown>;
    if (typeof engineId === 'string' && /^([0-9a-f]{2}){5,32}$/.test(engineId) && isBoots(boots))
      return { id: engineId, boots };
  } catch {}
  throw trapFailure('TRAP_ENGINE_STATE', { path, reason: 'its content is damaged' });
}

function isBoots(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= lastBoots;
}

/** Eight random octets (RFC 3411 §5) under the enterprise number for documentation (RFC 5612). */
function newEngineId(): string {
  return `80007ed905${randomBytes(8).toString('hex')}`;
}

/** The engines of senders over a restart, so that old traps cannot be played back. It contains no secrets. */
export class SenderEngineFile {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  #written = '';

  constructor(stateDirectory: string, onError: (error: unknown) => void) {
    this.#path = join(stateDirectory, 'snmp-traps', 'senders.json');
    this.#onError = onError;
  }

  /** Nothing when there is no file, or when it is damaged: engines are then learned again. */
  read(): readonly EngineState[] {
    try {
      const states: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      return Array.isArray(states) ? states.filter(isEngineState) : [];
    } catch {
      return [];
    }
  }

  write(states: readonly EngineState[] | undefined): void {
    const text = JSON.stringify(states ?? []);
    if (states === undefined || text === this.#written) return;
    try {
      replaceFile(this.#path, [text]);
      this.#written = text;
    } catch (error) {
      this.#onError(error);
    }
  }
}

export function isEngineState(value: unknown): value is EngineState {
  const { address, engineId, boots, startedAtMs, shownAtMs, latestTime } = (value ?? {}) as Partial<
    Record<keyof EngineState, unknown>
  >;
  return (
    [shownAtMs, latestTime].every((each) => each === undefined || typeof each === 'number') &&
    typeof address === 'string' &&
    typeof engineId === 'string' &&
    typeof boots === 'number' &&
    typeof startedAtMs === 'number'
  );
}
