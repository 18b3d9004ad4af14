import type { Refusal } from './protocol/community-responder.ts';

/** What an agent has received and sent since it started. The object is updated in place. */
export interface ReplayCounters {
  /** Datagrams that arrived, including lost ones. */
  requests: number;
  /** Replies created, including those that were then lost, duplicated or delayed. */
  replies: number;
  lost: number;
  duplicated: number;
  reordered: number;
  /** Requests without an answer, by cause. */
  readonly refused: Record<Refusal, number>;
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
