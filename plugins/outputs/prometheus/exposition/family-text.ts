import type { Family } from '../../../../src/output-kit/index.ts';
import { escapeText } from './label-text.ts';

/** HELP, TYPE and UNIT. The classic format names the samples and knows only counters and gauges. */
export function headText(family: Family, openMetrics: boolean): string {
  const { kind, unit, help } = family;
  const name = openMetrics ? family.name : family.sampleName;
  const type = openMetrics || kind === 'counter' ? kind : 'gauge';
  const unitLine = openMetrics && unit !== '' ? `# UNIT ${name} ${unit}\n` : '';
  return `# HELP ${name} ${openMetrics ? escapeText(help) : escapeHelp(help)}\n# TYPE ${name} ${type}\n${unitLine}`;
}

/** In the classic format a quote in HELP stands for itself. */
function escapeHelp(text: string): string {
  return escapeText(text).replaceAll('\\"', '"');
}
