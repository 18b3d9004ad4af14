import type { DraftSet } from '../../authoring/drafts/index.ts';
import { counted, plainText } from '../terminal/plain-text.ts';

interface WrittenDraft {
  readonly set: DraftSet;
  /** The files. */
  readonly written: readonly string[];
  /** What is left out, with the reason. */
  readonly left: readonly string[];
  readonly out: string;
  readonly json: boolean;
}

/** Says what a draft has and what a person must do next. */
export function printDraft({ set, written, left, out, json }: WrittenDraft): void {
  const attributes = set.objects.flatMap((object) => object.attributes);
  const { notifications = [] } = set;
  const comments = [...set.objects, ...attributes, ...notifications].flatMap((each) => each.comments ?? []);
  const counts = {
    objects: set.objects.length,
    attributes: attributes.length,
    enums: set.enums.length,
    notifications: notifications.length,
    decisions: comments.filter((line) => line.startsWith('decide:')).length,
  };
  if (json) {
    console.log(JSON.stringify({ counts, left, written }, undefined, 2));
    return;
  }
  const { objects, enums, decisions } = counts;
  const more = notifications.length === 0 ? '' : `, ${counted(notifications.length, 'notification')}`;
  console.log(
    `Wrote ${counted(written.length, 'file')} to ${out}: ${counted(objects, 'object')} with ${counted(attributes.length, 'attribute')}, ${counted(enums, 'enum')}${more}.`,
  );
  for (const line of left) console.log(plainText(`Left out: ${line}`));
  if (decisions > 0)
    console.log(`${counted(decisions, 'line')} with "decide:" ${decisions === 1 ? 'needs' : 'need'} you.`);
  console.log(`Check them together with the definitions that ship: waywiser check --shipped ${out}`);
}
