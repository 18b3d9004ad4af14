import type { ComponentChildren } from 'preact';

/** One number with its name. */
export function Tile({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="tile" title={hint}>
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}
