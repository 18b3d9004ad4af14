import type { DefinitionProblem } from '../../../../src/client/index.ts';
import { StateBadge } from '../parts/state-badge.tsx';
import { DeviceText } from '../parts/texts.tsx';

const maxShown = 200;

/** Problems of definition files, with their places. */
export function ProblemList({ problems }: { readonly problems: readonly DefinitionProblem[] }) {
  return (
    <>
      <ul class="lines problems">
        {problems.slice(0, maxShown).map(({ level, file, line, column, rule, message }) => (
          <li key={`${file}:${line}:${column}:${rule}`}>
            <StateBadge state={level} />
            <span class="mono">
              {file}:{line}:{column}
            </span>
            <span class="why">
              <DeviceText text={message} max={400} /> <span class="quiet mono">{rule}</span>
            </span>
          </li>
        ))}
      </ul>
      {problems.length > maxShown && <p class="quiet">and {problems.length - maxShown} more</p>}
    </>
  );
}
