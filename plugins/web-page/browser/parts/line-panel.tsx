import type { ComponentChildren } from 'preact';
import { Panel, Quiet, Trouble } from './panel.tsx';

export interface Line {
  readonly key: string;
  /** What stands in front of the text, such as a state. */
  readonly start?: ComponentChildren;
  readonly text: ComponentChildren;
  /** What stands at the right, such as a time. */
  readonly end: ComponentChildren;
}

interface LinePanelProps {
  readonly title: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly isWide?: boolean;
  /** A sentence about a failed request. */
  readonly problem?: string | undefined;
  /** Undefined while they are loaded. */
  readonly lines: readonly Line[] | undefined;
  /** A sentence in place of lines. */
  readonly empty: string;
}

/** A panel with one line for each thing. */
export function LinePanel({ title, aside, isWide, problem, lines, empty }: LinePanelProps) {
  return (
    <Panel title={title} aside={aside} isWide={isWide}>
      <Trouble problem={problem} />
      {lines?.length === 0 && <Quiet>{empty}</Quiet>}
      <ul class="lines">
        {lines?.map(({ key, start, text, end }) => (
          <li key={key}>
            {start}
            <span class="why">{text}</span>
            <span class="when">{end}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
