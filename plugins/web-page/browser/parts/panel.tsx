import type { ComponentChildren } from 'preact';

interface PanelProps {
  readonly title: ComponentChildren;
  /** What stands at the right of the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly isWide?: boolean | undefined;
}

export function Panel({ title, aside, children, isWide = false }: PanelProps) {
  return (
    <section class={isWide ? 'panel wide' : 'panel'}>
      <header>
        <h2>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** What a panel says instead of values. */
export function Quiet({ children }: { readonly children: ComponentChildren }) {
  return <p class="quiet">{children}</p>;
}

/** A sentence about a failed request. */
export function Trouble({ problem }: { readonly problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <p class="trouble" role="alert">
      {problem}
    </p>
  );
}

/** A name and a value. */
export type Fact = readonly [string, ComponentChildren];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
