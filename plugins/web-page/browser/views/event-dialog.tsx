import { CloseButton, Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/panel.tsx';
import { makeSafe } from '../parts/safe-text.ts';
import { Ago, Clock } from '../parts/texts.tsx';
import { formatUtc } from '../parts/time-text.ts';
import type { SeenEvent } from '../state/recent-events.ts';
import { EventSentence } from './event-sentence.tsx';

const maxLineLength = 300;

/** An event with everything that the collector says about it. */
export function EventDialog({ seen, onClose }: { readonly seen: SeenEvent; readonly onClose: () => void }) {
  const { event, at } = seen;
  const lines = JSON.stringify(event.data, undefined, 2).split('\n');
  return (
    <Dialog title={event.name} className="wide" onClose={onClose}>
      <header>
        <h2 class="mono">{event.name}</h2>
        <CloseButton onClose={onClose} />
      </header>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: it only closes the dialog when a link in it is followed. */}
      <p class="verdict" onClick={(click) => (click.target as Element).closest('a') && onClose()}>
        <EventSentence event={event} />
      </p>
      <Facts
        facts={[
          [
            'Time',
            <>
              <Clock at={at} />, <Ago at={at} /> <span class="quiet">({formatUtc(at)})</span>
            </>,
          ],
          ['Number', event.id],
          ...(event.member === undefined ? [] : [['Member', event.member] as const]),
        ]}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre class="details mono" tabIndex={0}>
        {lines.map((line) => `${indentOf(line)}${makeSafe(line.trimStart(), maxLineLength)}\n`)}
      </pre>
    </Dialog>
  );
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
