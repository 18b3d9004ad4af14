import { type Signal, useSignal } from '@preact/signals';
import {
  ApiProblem,
  type ApplyResult,
  type DefinitionProblem,
  type Definitions,
  type Generation,
} from '../../../../src/client/index.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Facts, Panel, Trouble } from '../parts/panel.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Ago, Clock, Num } from '../parts/texts.tsx';
import { api } from '../state/api.ts';
import { noticeFailure } from '../state/connection.ts';
import { usePolled } from '../state/polled.ts';
import { session } from '../state/session.ts';
import { ApplyPreview } from './apply-preview.tsx';
import { ApplyProgress } from './apply-progress.tsx';
import { ProblemList } from './problem-list.tsx';
import { summarizeChanges } from './summarize-changes.ts';

interface Attempt {
  readonly isBusy: boolean;
  readonly preview?: ApplyResult;
  readonly applied?: ApplyResult;
  readonly problems?: readonly DefinitionProblem[];
  readonly failure?: string;
}

/** The definitions that run, what the files would change, and applying them. */
export function DefinitionsView() {
  const current = usePolled(
    'definitions',
    5_000,
    async (signal) => (await api.call('getDefinitions', { signal })).body,
  );
  const attempt = useSignal<Attempt>({ isBusy: false });
  const isForced = useSignal(false);
  const isAsking = useSignal(false);
  const { preview, applied, problems, failure, isBusy } = attempt.value;
  const run = async (isDry: boolean) => {
    attempt.value = { isBusy: true };
    attempt.value = { isBusy: false, ...(await apply(isDry, isForced.value)) };
    if (!isDry) current.reload();
  };
  const running = current.value;
  return (
    <div class="view">
      <div class="title-row">
        <h1>Definitions</h1>
        {running !== undefined && (
          <StateBadge
            state={running.degraded ? 'error' : 'ok'}
            why={running.degraded ? 'The files have errors; older definitions stay in use.' : undefined}
          />
        )}
        {session.value?.canOperate === true && (
          <ApplyActions isForced={isForced} isAsking={isAsking} isBusy={isBusy} run={run} />
        )}
      </div>
      <Trouble problem={current.problem ?? failure} />
      {isBusy && <p class="quiet">Reading the files …</p>}
      {problems !== undefined && (
        <Panel title="The files have errors: nothing was changed">
          <ProblemList problems={problems} />
        </Panel>
      )}
      {preview !== undefined && <ApplyPreview result={preview} />}
      {applied !== undefined && <ApplyProgress result={applied} />}
      {running !== undefined && <RunningDefinitions running={running} />}
      {isAsking.value && <ConfirmApply isForced={isForced.value} isAsking={isAsking} run={run} />}
    </div>
  );
}

interface ApplyActionsProps {
  readonly isForced: Signal<boolean>;
  readonly isAsking: Signal<boolean>;
  readonly isBusy: boolean;
  readonly run: (isDry: boolean) => Promise<void>;
}

function ApplyActions({ isForced, isAsking, isBusy, run }: ApplyActionsProps) {
  return (
    <div class="actions">
      <label class="check">
        <input
          type="checkbox"
          checked={isForced.value}
          onChange={(event) => {
            isForced.value = event.currentTarget.checked;
          }}
        />
        force rediscovery of affected devices
      </label>
      <button type="button" disabled={isBusy} onClick={() => void run(true)}>
        Preview
      </button>
      <button
        type="button"
        class="primary"
        disabled={isBusy}
        onClick={() => {
          isAsking.value = true;
        }}
      >
        Apply
      </button>
    </div>
  );
}

function RunningDefinitions({ running }: { readonly running: Definitions }) {
  const generations = usePolled(
    `generations ${running.generation}`,
    0,
    async (signal) => (await api.call('listGenerations', { query: { limit: 50 }, signal })).body.generations,
  );
  return (
    <div class="halves">
      <div>
        <Panel title={`Generation ${running.generation} runs`}>
          <Facts
            facts={[
              ['Applied', <Ago at={running.appliedAt} />],
              ['By', running.requestedBy],
              ...Object.entries(running.counts).map(
                ([name, count]) => [splitWords(name), <Num key={name} value={count} />] as const,
              ),
            ]}
          />
        </Panel>
      </div>
      <div>
        <Panel title="Problems" aside={<span class="quiet">{running.problems.length}</span>}>
          {running.problems.length === 0 ? (
            <p class="quiet">None. Edit the files, then preview what would change.</p>
          ) : (
            <ProblemList problems={running.problems} />
          )}
        </Panel>
        <Panel title="Generations since the start">
          <Trouble problem={generations.problem} />
          <Generations listed={generations.value} />
        </Panel>
      </div>
    </div>
  );
}

function ConfirmApply({
  isForced,
  isAsking,
  run,
}: Pick<ApplyActionsProps, 'isAsking' | 'run'> & { readonly isForced: boolean }) {
  return (
    <Confirm
      title="Apply the definition files"
      doIt="Apply"
      onClose={() => {
        isAsking.value = false;
      }}
      onDone={() => void run(false)}
    >
      <p>
        The collector reads all definition files again and switches to them without a gap in polling. Files
        with errors change nothing.
      </p>
      <p>
        {isForced
          ? 'Every device that the change affects is rediscovered: that takes many requests when many devices are affected.'
          : 'No device is rediscovered, except those whose credentials changed.'}
      </p>
    </Confirm>
  );
}

function Generations({ listed }: { readonly listed: readonly Generation[] | undefined }) {
  return (
    <table class="plain">
      <thead>
        <tr>
          <th>Number</th>
          <th>Applied</th>
          <th>By</th>
          <th>Changed</th>
        </tr>
      </thead>
      <tbody>
        {listed?.map(({ generation, appliedAt, requestedBy, changes }) => (
          <tr key={generation}>
            <td>{generation}</td>
            <td class="nowrap">
              <Clock at={appliedAt} />
            </td>
            <td>{requestedBy}</td>
            <td>{changes === undefined ? 'the first one' : summarizeChanges(changes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

async function apply(isDry: boolean, isForced: boolean): Promise<Omit<Attempt, 'isBusy'>> {
  try {
    const { body } = await api.call('applyDefinitions', {
      query: { dry_run: isDry, force_rediscovery: isForced },
    });
    return isDry ? { preview: body } : { applied: body };
  } catch (error) {
    noticeFailure(error);
    const problems = error instanceof ApiProblem ? error.members['problems'] : undefined;
    if (Array.isArray(problems)) return { problems };
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** `objectGroups` as `Object groups`. */
function splitWords(name: string): string {
  if (name === 'sysObjectIds') return 'sysObjectIDs';
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
