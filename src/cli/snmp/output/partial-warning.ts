import colours from 'picocolors';
import type { PartialReason, WalkOutcome } from '../../../snmp/index.ts';

/** Tells on standard error which subtrees were not read to their end. */
export function warnOfPartial(partial: WalkOutcome['partial']): void {
  for (const { root, reason } of partial) {
    console.error(
      `${colours.yellow('warning:')} ${root} was not read to its end: ${reasons[reason]} [${reason}]`,
    );
  }
}

const reasons: Readonly<Record<PartialReason, string>> = {
  notIncreasing: 'the agent answers with OIDs that do not increase.',
  tooBig: 'the agent cannot fit one varbind into a reply.',
  genErr: 'the agent fails on an object there.',
  emptyReplies: 'the agent answers without varbinds.',
  maxVarbinds: 'it has more varbinds than the limit.',
  budget: 'it took longer than it may.',
};
