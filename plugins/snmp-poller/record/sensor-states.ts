import { holdsOctets, rawTag, type SensorState, sensorStates } from '../../../src/definitions/index.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import type { SensorStatePlan } from '../plan/poll-plan.ts';

/** A state in our word, and in that of the vendor. */
export interface SensorWord {
  readonly state: SensorState;
  readonly status: string;
}

/** The words of one state column. Each value becomes words once, so that a poll only looks them up. */
export class SensorWords {
  readonly #plan: SensorStatePlan;
  readonly #numbers = new Map<number, SensorWord>();
  readonly #texts = new Map<string, SensorWord>();

  constructor(plan: SensorStatePlan) {
    this.#plan = plan;
  }

  /** The slot must hold a value. */
  at(slot: number, { words, status, texts }: PollColumns): SensorWord {
    const tag = status[slot]!;
    if (holdsOctets(tag)) {
      const text = texts[slot] ?? '';
      return this.#texts.get(text) ?? this.#keep(this.#texts, text, this.#wordOf(text.trim(), undefined));
    }
    const high = words[2 * slot + 1]!;
    const number = (tag === rawTag.integer ? high | 0 : high) * 2 ** 32 + words[2 * slot]!;
    const known = this.#numbers.get(number);
    if (known !== undefined) return known;
    const name = this.#plan.names?.get(number) ?? String(number);
    return this.#keep(this.#numbers, number, this.#wordOf(String(number), name));
  }

  #wordOf(raw: string, name: string | undefined): SensorWord {
    const text =
      name ??
      Buffer.from(raw, 'latin1')
        .toString('utf8')
        .replace(/\p{Cc}+/gu, ' ');
    return { state: this.#plan.values[raw.toLowerCase()] ?? 'unknown', status: text };
  }

  /** A device may send any text, so only some are kept. */
  #keep<Key>(map: Map<Key, SensorWord>, key: Key, word: SensorWord): SensorWord {
    if (map.size < maxKept) map.set(key, word);
    return word;
  }
}

const maxKept = 256;

/** The numbers of the states, for outputs that serve numbers. */
export const stateNames: ReadonlyMap<number, string> = new Map(
  sensorStates.map((state, number) => [number, state]),
);
