import type { Refusal } from './protocol/community-responder.ts';

/** What an agent has seen and done since it started. It counts on while it is held. */
export interface ReplayCounters {
  /** Datagrams that arrived, lost ones too. */
  requests: number;
  /** Replies made; chance may still have lost, doubled or delayed them. */
  replies: number;
  lost: number;
  duplicated: number;
  reordered: number;
  /** Requests without an answer, by cause. */
  readonly refused: Record<Refusal | 'silent', number>;
}

export function newReplayCounters(): ReplayCounters {
  return {
    requests: 0,
    replies: 0,
    lost: 0,
    duplicated: 0,
    reordered: 0,
    refused: { malformed: 0, version: 0, community: 0, pdu: 0, security: 0, silent: 0 },
  };
}
