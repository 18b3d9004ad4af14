import type { PartialReason, WalkOutcome } from '../../../src/snmp/index.ts';
import { colours } from '../../terminal/colours.ts';

/** Prints to standard error which subtrees were not read to the end, and why. */
export function warnOfPartial(partial: WalkOutcome['partial']): void {
  for (const { root, reason } of partial) {
    console.error(
      `${colours.yellow('warning:')} ${root} was not read to the end: ${reasons[reason]} [${reason}]`,
    );
  }
}

const reasons: Readonly<Record<PartialReason, string>> = {
  notIncreasing: 'the agent returns OIDs that do not increase.',
  tooBig: 'the agent cannot fit one varbind into a reply.',
  genErr: 'the agent fails on an object there.',
  emptyReplies: 'the agent returns replies without varbinds.',
  unanswered: 'the agent answers, but not for some objects there.',
  maxVarbinds: 'there are more varbinds than the limit.',
  budget: 'the time limit was exceeded.',
};
