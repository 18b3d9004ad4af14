import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatPlace } from '../state/route-text.ts';

interface Tab {
  readonly id: string;
  readonly label: string;
  readonly count?: number | undefined;
}

/** Links to the parts of a view; the address names the one that is shown. */
export function Tabs({
  tabs,
  shown,
  words,
  aside,
}: {
  readonly tabs: readonly Tab[];
  readonly shown: string;
  readonly words: readonly string[];
  readonly aside?: ComponentChildren;
}) {
  const list = useRef<HTMLUListElement>(null);
  // On a phone the list is wider than the screen.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (current) list.current!.scrollLeft = current.offsetLeft - list.current!.offsetLeft - 40;
  }, [shown]);
  return (
    <nav class="tabs" aria-label="Parts of this page">
      <ul ref={list}>
        {tabs.map(({ id, label, count }) => (
          <li key={id}>
            <a href={formatPlace(words, { tab: id })} aria-current={id === shown ? 'page' : undefined}>
              {label}
              {count !== undefined && <span class="count">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
      {aside}
    </nav>
  );
}
