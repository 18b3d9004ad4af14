import type { ComponentChildren } from 'preact';
import type { Explanation } from '../../../../../src/client/index.ts';
import { countOf } from '../../parts/count-text.ts';
import { explainGap } from '../../parts/gap-words.ts';
import { showNumber } from '../../parts/number-text.ts';
import { Ago, DeviceText } from '../../parts/texts.tsx';
import type { WantedExplanation } from '../../state/explain.ts';
import { showValue } from './device-rows.ts';
import { describeRaw } from './raw-text.ts';

type Reading = NonNullable<Explanation['reading']>;

/** The way of a value: from its definition over the OID and the bytes of the reply to the number. */
export function ExplainSteps({
  explanation,
  wanted,
}: {
  readonly explanation: Explanation;
  readonly wanted: WantedExplanation;
}) {
  const { reading } = explanation;
  const gap = reading?.fields.find(({ field }) => field === wanted.field)?.gap;
  return (
    <>
      <p class={reading?.raw === undefined || gap !== undefined ? 'verdict warn-text' : 'verdict'}>
        <DeviceText text={explanation.verdict} max={600} />
        {reading?.raw !== undefined && gap !== undefined && ` ${explainGap(gap)}`}
      </p>
      <ol class="steps">
        <Definition explanation={explanation} />
        <Discovery explanation={explanation} />
        {reading !== undefined && <Request reading={reading} />}
        {reading !== undefined && <Reply reading={reading} />}
        <Decoding explanation={explanation} />
        {reading !== undefined && <Result reading={reading} wanted={wanted} />}
      </ol>
    </>
  );
}

function Step({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <li>
      <h3>{title}</h3>
      <div>{children}</div>
    </li>
  );
}

function Definition({
  explanation: { object, attribute, definition, broughtInBy },
}: {
  readonly explanation: Explanation;
}) {
  const groups = broughtInBy
    .map(({ deviceGroup, objectGroup }) => [deviceGroup, objectGroup].filter(Boolean).join(' → '))
    .join('; ');
  return (
    <Step title="Definition">
      <span class="mono">
        {object} {attribute}
      </span>
      <p class="quiet">
        <span class="mono">
          {definition.file}:{definition.line}
        </span>
        {groups === '' ? '. No device group asks for it.' : `, asked for by ${groups}`}
      </p>
    </Step>
  );
}

function Discovery({ explanation: { inventory, instance } }: { readonly explanation: Explanation }) {
  if (inventory === undefined) return <Step title="Discovery">The device has not been discovered yet.</Step>;
  return (
    <Step title="Discovery">
      {inventory.hasInstance ? 'The device has' : 'The device does not have'} instance{' '}
      <span class="mono">{instance}</span>
      {inventory.instances !== undefined && `, one of ${countOf(inventory.instances, 'instance')}`}
      <p class="quiet">
        found <Ago at={inventory.discoveredAt} />
        {inventory.isOutdated && '; the definition has changed since'}
      </p>
    </Step>
  );
}

function Request({ reading: { oid, everyMs, request, slotAt } }: { readonly reading: Reading }) {
  return (
    <Step title="Request">
      <span class="mono">{oid}</span>
      <p class="quiet">
        every {showNumber(everyMs, 'ms')}, with {countOf(request.columns, 'column')} and{' '}
        {countOf(request.rows, 'row')} in one request; last one{' '}
        {slotAt === undefined ? 'not yet' : <Ago at={slotAt} />}
      </p>
    </Step>
  );
}

function Reply({ reading: { raw, gap } }: { readonly reading: Reading }) {
  if (raw === undefined)
    return (
      <Step title="Reply">
        <span class="warn-text">{gap === undefined ? 'No value.' : explainGap(gap)}</span>
      </Step>
    );
  const { value, meaning } = describeRaw(raw);
  return (
    <Step title="Reply">
      <span class="quiet">{raw.type}</span>{' '}
      <span class="mono">
        <DeviceText text={value} max={400} />
      </span>
      {meaning !== '' && (
        <p class="quiet">
          as text: <DeviceText text={meaning} max={200} />
        </p>
      )}
    </Step>
  );
}

function Decoding({ explanation: { definition } }: { readonly explanation: Explanation }) {
  const { syntax, description, scale, scaledBy, unit, enum: names } = definition.decoding;
  return (
    <Step title="Decoding">
      <span class="mono">{syntax}</span>
      <p class="quiet">
        {description.replace(/\.$/, '')}
        {scale.times !== 1 && `, × ${scale.times}`}
        {scale.over !== 1 && `, ÷ ${scale.over}`}
        {scaledBy.length > 0 && `, scaled by ${scaledBy.map(({ attribute }) => attribute).join(', ')}`}
        {names !== undefined && `, named by the enum ${names}`}
        {unit !== undefined && `, in ${unit}`}
      </p>
    </Step>
  );
}

function Result({ reading, wanted }: { readonly reading: Reading; readonly wanted: WantedExplanation }) {
  const isRate = /_(rate|delta)$/.test(wanted.field);
  return (
    <Step title="Result">
      {reading.fields.map(({ field, value, gap, unit }) => (
        <p key={field}>
          <span class="mono">{field}</span>{' '}
          {value === undefined ? (
            <span class="missing">{explainGap(gap ?? 'none')}</span>
          ) : (
            <strong title={showValue(value)}>
              <DeviceText
                text={
                  typeof value === 'number' ? showNumber(value, unit) : `${showValue(value)} ${unit ?? ''}`
                }
                max={300}
              />
            </strong>
          )}
        </p>
      ))}
      {isRate && (
        <p>
          <span class="mono">{wanted.field}</span> {wanted.shown !== '' && <strong>{wanted.shown}</strong>}
          <span class="quiet">
            {' '}
            is the increase{wanted.field.endsWith('_rate') && ' per second'} of this counter between the last
            two polls
          </span>
        </p>
      )}
    </Step>
  );
}
