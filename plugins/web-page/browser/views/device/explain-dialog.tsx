import { useSignal } from '@preact/signals';
import type { Explanation } from '../../../../../src/client/index.ts';
import { CloseButton, Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/panel.tsx';
import { DeviceText } from '../../parts/texts.tsx';
import { api } from '../../state/api.ts';
import { type WantedExplanation, wantedExplanation } from '../../state/explain.ts';
import { usePolled } from '../../state/polled.ts';
import { ExplainSteps } from './explain-steps.tsx';
import { findSources } from './find-source.ts';
import { nameRow } from './row-name.ts';

const maxObjects = 80;
const maxSources = 4;

/** From the OID and the raw bytes to the number, or why there is none. */
export function ExplainDialog() {
  const wanted = wantedExplanation.value;
  if (wanted === undefined) return null;
  return <Explained key={`${wanted.record} ${wanted.key} ${wanted.field}`} wanted={wanted} />;
}

function Explained({ wanted }: { readonly wanted: WantedExplanation }) {
  const chosen = useSignal(0);
  const loaded = usePolled(`explain ${JSON.stringify(wanted)}`, 0, (signal) => explain(wanted, signal));
  const rowName = nameRow(wanted);
  const close = () => {
    wantedExplanation.value = undefined;
  };
  const found = loaded.value ?? [];
  const shown = found[chosen.value];
  return (
    <Dialog title={`Explain ${wanted.field}`} className="explain" onClose={close}>
      <header>
        <h2>
          <span class="mono">{wanted.field}</span>{' '}
          <span class="quiet">
            of <DeviceText text={wanted.device} max={40} />
            {rowName !== '' && (
              <>
                , <DeviceText text={rowName} max={40} />
              </>
            )}
          </span>
        </h2>
        <CloseButton onClose={close} />
      </header>
      {loaded.isLoading && <p class="quiet">Asking the collector …</p>}
      <Trouble problem={loaded.problem} />
      {loaded.value !== undefined && found.length === 0 && (
        <p>
          No object of the definitions names this field directly: it is computed, or it describes the device
          as a whole.
        </p>
      )}
      {found.length > 1 && (
        <fieldset class="segments" aria-label="Attribute">
          {found.map(({ attribute }, i) => (
            <button
              key={attribute}
              type="button"
              class={i === chosen.value ? 'chosen' : undefined}
              aria-pressed={i === chosen.value}
              onClick={() => {
                chosen.value = i;
              }}
            >
              {attribute}
            </button>
          ))}
        </fieldset>
      )}
      {shown !== undefined && <ExplainSteps explanation={shown} wanted={wanted} />}
    </Dialog>
  );
}

/** The explanations of a value, the ones with a reading first. */
async function explain(wanted: WantedExplanation, signal: AbortSignal): Promise<Explanation[]> {
  const { device, record } = wanted;
  const path = { device };
  const [{ body: inventory }, { body: list }] = await Promise.all([
    api.call('getInventoryByName', { path, signal }),
    api.call('listObjects', { query: { record, limit: 1000 }, signal }),
  ]);
  const instances = new Map(inventory.objects.map((each) => [each.id, each.instances]));
  // A record of the vocabulary, such as `sensor`, is no object's own: any of them may fill it.
  const candidates = list.total > 0 ? list.objects.map(({ id }) => id) : [...instances.keys()];
  const ids = candidates.filter((id) => (instances.get(id)?.length ?? 0) > 0).slice(0, maxObjects);
  const objects = await Promise.all(
    ids.map(async (id) => (await api.call('getObject', { path: { id }, signal })).body),
  );
  const sources = findSources(
    wanted,
    objects.map(({ id, attributes }) => ({ id, attributes, instances: instances.get(id) ?? [] })),
  );
  const explanations = await Promise.all(
    sources
      .slice(0, maxSources)
      .map(async (query) => (await api.call('explainValueByName', { path, query, signal })).body),
  );
  return explanations.sort((a, b) => Number(b.reading !== undefined) - Number(a.reading !== undefined));
}
