import { signal } from '@preact/signals';
import type uPlot from 'uplot';

/** What draws graphs, once it is loaded. It is a quarter of the page, so it comes while the first view asks for its data. */
export const plotLibrary = signal<typeof uPlot | undefined>(undefined);

/** Without it, graphs have their legends only. The next graph tries again. */
export async function loadPlotLibrary(): Promise<void> {
  if (plotLibrary.value !== undefined) return;
  const loaded = await import('uplot').catch(() => undefined);
  plotLibrary.value ??= loaded?.default;
}
