import { place, select } from '../state/place.ts';

interface FieldProps {
  /** What the address names it. */
  readonly name: string;
  readonly label: string;
}

/** A search whose text is in the address. */
export function SearchField({
  name,
  label,
  placeholder,
  onEnter,
}: FieldProps & { readonly placeholder: string; readonly onEnter?: () => void }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={place.value.query[name] ?? ''}
      onInput={(event) => select({ [name]: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnter?.();
      }}
    />
  );
}

/** A choice that is in the address: a word, or a word and what people read in its place. */
export function ChoiceField({
  name,
  label,
  all,
  choices,
}: FieldProps & {
  /** What no choice is called. */
  readonly all: string;
  readonly choices: readonly (string | readonly [word: string, text: string])[];
}) {
  const chosen = place.value.query[name] ?? '';
  const pairs = choices.map((choice) => (typeof choice === 'string' ? ([choice, choice] as const) : choice));
  const isListed = chosen === '' || pairs.some(([word]) => word === chosen);
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={(event) => select({ [name]: event.currentTarget.value })}
    >
      <option value="">{all}</option>
      {(isListed ? pairs : [[chosen, chosen] as const, ...pairs]).map(([word, text]) => (
        <option key={word} value={word}>
          {text}
        </option>
      ))}
    </select>
  );
}
