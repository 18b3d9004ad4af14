import { Clock } from './texts.tsx';

/** Says that a graph begins with values that nobody polled. */
export function MadeUpNote({ until }: { readonly until: number }) {
  return (
    <span class="made-up">
      made up until <Clock at={until} />
    </span>
  );
}
