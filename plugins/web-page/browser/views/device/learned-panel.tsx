import type { LearnedLimits } from '../../../../../src/client/index.ts';
import { Facts, Panel, Quiet } from '../../parts/panel.tsx';
import { Ago, Num } from '../../parts/texts.tsx';

const maxTables = 30;

/** What the collector found out about the device while it asked: what fits into a packet, and what it does wrong. */
export function LearnedPanel({ learned }: { readonly learned: LearnedLimits | undefined }) {
  if (learned === undefined)
    return (
      <Panel title="Learned sizes and quirks">
        <Quiet>Nothing yet: the device has not answered.</Quiet>
      </Panel>
    );
  const { requestsAtOnce, oidsPerRequest, varbindsPerReply, missingOids, roundTripMs } = learned;
  return (
    <Panel title="Learned sizes and quirks">
      <Facts
        facts={[
          ['Requests at once', requestsAtOnce === undefined ? 'not asked at present' : `${requestsAtOnce}`],
          ['Round trip', roundTripMs === undefined ? '–' : <Num value={roundTripMs} unit="ms" />],
          ['OIDs per request', oidsPerRequest === undefined ? 'no limit found' : `${oidsPerRequest}`],
          ['Values per reply', varbindsPerReply === undefined ? 'no limit found' : `${varbindsPerReply}`],
          ['OIDs it lacks', `${missingOids}`],
        ]}
      />
      <Quirks learned={learned} />
      <Tables learned={learned} />
    </Panel>
  );
}

function Quirks({
  learned: { silentColumns, misorderedTables, tables },
}: {
  readonly learned: LearnedLimits;
}) {
  const quirks = [
    ...silentColumns.map(({ column, until }) => ({
      oid: column,
      text: 'no answer for this column, although it answers others',
      until,
    })),
    ...misorderedTables.map(({ table, until }) => ({
      oid: table,
      text: 'its OIDs do not increase, so it is read by GET',
      until,
    })),
    ...tables
      .filter(({ loops }) => loops)
      .map(({ root }) => ({ oid: root, text: 'its OIDs repeat, so it is read up to that point', until: '' })),
  ];
  if (quirks.length === 0) return <p class="quiet">No quirks: every table answers as the standard says.</p>;
  return (
    <ul class="lines">
      {quirks.map(({ oid, text, until }) => (
        <li key={`${oid} ${text}`}>
          <span class="mono">{oid}</span>
          <span class="why warn-text">{text}</span>
          {until !== '' && (
            <span class="when">
              tried again <Ago at={until} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Tables({ learned: { tables } }: { readonly learned: LearnedLimits }) {
  const known = tables.filter(
    ({ varbindBytes, repetitionsPerRequest, varbindsPerReply }) =>
      (varbindBytes ?? repetitionsPerRequest ?? varbindsPerReply) !== undefined,
  );
  if (known.length === 0) return null;
  return (
    <table class="plain">
      <thead>
        <tr>
          <th>Table</th>
          <th class="right">a value takes</th>
          <th class="right">rows per request</th>
        </tr>
      </thead>
      <tbody>
        {known.slice(0, maxTables).map(({ root, varbindBytes, repetitionsPerRequest }) => (
          <tr key={root}>
            <td class="mono">{root}</td>
            <td class="right">
              {varbindBytes === undefined ? '–' : <Num value={Math.round(varbindBytes)} unit="B" />}
            </td>
            <td class="right">{repetitionsPerRequest ?? <span class="quiet">no limit found</span>}</td>
          </tr>
        ))}
        {known.length > maxTables && (
          <tr>
            <td colSpan={3} class="quiet">
              and {known.length - maxTables} more
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
