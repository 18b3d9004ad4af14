import type { FieldText, ListedChange } from '../../../../src/client/index.ts';
import { DeviceText } from '../parts/texts.tsx';
import { kindWords } from './summarize-changes.ts';

const maxFields = 12;

/** What differs, file by file, and what changes only because of it. */
export function ChangedFiles({ differences }: { readonly differences: readonly ListedChange[] }) {
  const isDirect = ({ how, fields }: ListedChange) => how !== 'changed' || fields.length > 0;
  const direct = differences.filter(isDirect);
  const others = differences.filter((change) => !isDirect(change));
  return (
    <>
      {groupByFile(direct).map(([file, members]) => (
        <section key={file} class="changed-file">
          <h4 class="mono">{file === '' ? 'not in one file' : file}</h4>
          <ul class="lines">
            {members.map((change) => (
              <li key={`${change.kind} ${change.id}`}>
                <Difference change={change} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} more {others.length === 1 ? 'depends' : 'depend'} on these
          </summary>
          <ul class="lines">
            {others.map((change) => (
              <li key={`${change.kind} ${change.id}`}>
                <Difference change={change} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Difference({ change: { kind, id, how, line, fields } }: { readonly change: ListedChange }) {
  return (
    <>
      <span class={`how ${how}`}>{how}</span>
      <div class="why">
        <span class="mono">
          <DeviceText text={id} />
        </span>{' '}
        <span class="quiet">
          {kindWords(kind, 1)}
          {line !== undefined && `, line ${line}`}
        </span>
        {fields.length > 0 && (
          <ul class="fields mono">
            {fields.slice(0, maxFields).map((field) => (
              <li key={field.path}>
                <Field field={field} />
              </li>
            ))}
            {fields.length > maxFields && <li class="quiet">and {fields.length - maxFields} more fields</li>}
          </ul>
        )}
      </div>
    </>
  );
}

/** A whole attribute or a list has no text of its own. */
function Field({ field: { path, before, after } }: { readonly field: FieldText }) {
  const isWhole = before === '' || after === '';
  return (
    <>
      {path}
      {before !== undefined && before !== '' && (
        <>
          : <Side text={before} className="removed" />
        </>
      )}
      {before === undefined && !isWhole && ':'}
      {after !== undefined && after !== '' && (
        <>
          {before !== undefined && ' →'} <Side text={after} className="added" />
        </>
      )}
      {before === undefined && isWhole && <span class="how added"> added</span>}
      {after === undefined && <span class="how removed"> removed</span>}
      {before !== undefined && after !== undefined && isWhole && <span class="how changed"> changed</span>}
    </>
  );
}

function Side({ text, className }: { readonly text: string; readonly className: string }) {
  return (
    <span class={`side-text ${className}`}>
      <DeviceText text={text} max={80} />
    </span>
  );
}

/** In the order in which the files come first. */
function groupByFile(changes: readonly ListedChange[]): [file: string, members: ListedChange[]][] {
  const files = new Map<string, ListedChange[]>();
  for (const change of changes) {
    const members = files.get(change.file ?? '') ?? [];
    files.set(change.file ?? '', members);
    members.push(change);
  }
  return [...files];
}
