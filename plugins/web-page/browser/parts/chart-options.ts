import type uPlot from 'uplot';
import type { PlotLine } from '../state/plot-data.ts';
import { showNumber } from './number-text.ts';

/** A horizontal line, such as a limit of a sensor. */
export interface Limit {
  readonly value: number;
  readonly isCritical: boolean;
}

export interface ChartLook {
  readonly width: number;
  readonly height: number;
  readonly unit: string | undefined;
  /** Graphs with the same key share their crosshair. */
  readonly syncKey: string;
  /** Read at each drawing. */
  readonly range: { readonly fromMs: number; readonly toMs: number };
  /** The same labels at each drawing, with other values and gaps. */
  readonly lines: readonly PlotLine[];
  readonly limits: readonly Limit[];
  /** Read at each drawing. */
  readonly madeUp: { readonly from: number; readonly to: number } | undefined;
  /** The line that stands out, if one does. */
  readonly isFilled: boolean;
  onCursor(index: number | undefined): void;
  onZoom(fromMs: number, toMs: number): void;
  onReset(): void;
}

const maxLines = 8;
const maxAxisUnit = 6;

/** A class of main.css has the colour of each line, for canvas and legend alike. */
export function lineClass(i: number): string {
  return `line-${i % maxLines}`;
}

/** What uPlot needs to draw a graph that looks like the rest of the page. */
export function makeChartOptions(look: ChartLook): uPlot.Options {
  const { width, height, unit, lines } = look;
  const colors = lines.map((_, i) => colorOf(lineClass(i)));
  const [text, grid, gap] = [colorOf('plot-text'), colorOf('plot-grid'), colorOf('plot-gap')];
  const madeUp = colorOf('plot-made-up');
  // A long unit leaves no room for the number; the legend has it.
  const axisUnit = (unit ?? '').length > maxAxisUnit ? '' : unit;
  const font = '11px system-ui, sans-serif';
  const axis = { stroke: text, font, ticks: { show: false }, grid: { stroke: grid, width: 1 } };
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: {
      sync: { key: look.syncKey },
      drag: { x: true, y: false, setScale: false },
      points: { size: 6 },
      y: false,
      bind: {
        dblclick: () => () => {
          look.onReset();
          return null;
        },
      },
    },
    scales: {
      x: { time: true, range: () => [look.range.fromMs / 1000, look.range.toMs / 1000] },
      y: { range: (_, low, high) => findScale(low, high, look.limits, unit === '%') },
    },
    axes: [
      { ...axis, space: 70, size: 26, values: timeLabels },
      { ...axis, size: 62, space: 28, values: (_, ticks) => ticks.map((tick) => showNumber(tick, axisUnit)) },
    ],
    series: [
      {},
      ...lines.map(({ label }, i) => ({
        label,
        stroke: colors[i]!,
        width: 1.5,
        ...(look.isFilled && i === 0 ? { fill: fade(colors[i]!) } : {}),
      })),
    ],
    hooks: {
      drawClear: [
        (plot) => {
          if (look.madeUp !== undefined) paintSpan(plot, look.madeUp, madeUp);
          for (const each of look.lines[0]?.gaps ?? []) paintSpan(plot, each, gap);
        },
      ],
      draw: [(plot) => paintLimits(plot, look.limits)],
      setCursor: [({ cursor }) => look.onCursor(cursor.idx ?? undefined)],
      setSelect: [
        (plot) => {
          const { left, width: selected } = plot.select;
          if (selected < 4) return;
          look.onZoom(plot.posToVal(left, 'x') * 1000, plot.posToVal(left + selected, 'x') * 1000);
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

/** From zero where that costs little, with room above, and never without height. */
function findScale(
  low: number | null,
  high: number | null,
  limits: readonly Limit[],
  isShare: boolean,
): [number, number] {
  if (low === null || high === null) return [0, 1];
  const near = limits.map(({ value }) => value).filter((value) => value <= high + (high - low) * 2 + 10);
  const [bottom, top] = [Math.min(low, ...near), Math.max(high, ...near)];
  if (bottom === top) return bottom === 0 ? [0, 1] : bottom > 0 ? [0, bottom * 1.2] : [bottom * 1.2, 0];
  const room = (top - bottom) * 0.08;
  const isNearZero = bottom >= 0 && (isShare || bottom < top * 0.6);
  return [isNearZero ? 0 : bottom - room, top + room];
}

/** Times of the axis in the viewer's zone: hours within a day, days beyond it. */
function timeLabels(_plot: uPlot, ticks: number[]): string[] {
  const span = (ticks.at(-1) ?? 0) - (ticks[0] ?? 0);
  const isShort = span < 172_800;
  return ticks.map((seconds) => {
    const date = new Date(seconds * 1000);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
    if (!isShort || isMidnight) return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
    return date.toLocaleTimeString('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      ...(span < 300 ? { second: '2-digit' } : {}),
    });
  });
}

/** Shades a time: one without values, or one whose values were made up. */
function paintSpan(
  plot: uPlot,
  { from, to }: { readonly from: number; readonly to: number },
  color: string,
): void {
  const { ctx, bbox } = plot;
  const left = Math.max(plot.valToPos(from / 1000, 'x', true), bbox.left);
  const right = Math.min(plot.valToPos(to / 1000, 'x', true), bbox.left + bbox.width);
  if (right < bbox.left || left > bbox.left + bbox.width) return;
  ctx.save();
  ctx.fillStyle = color;
  ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
  ctx.restore();
}

function paintLimits(plot: uPlot, limits: readonly Limit[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.setLineDash([4, 4]);
  for (const { value, isCritical } of limits) {
    const y = plot.valToPos(value, 'y', true);
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.strokeStyle = colorOf(isCritical ? 'plot-critical' : 'plot-warning');
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

/** The colour that a class has now, because a canvas knows no style sheets. */
function colorOf(className: string): string {
  const probe = document.createElement('span');
  probe.className = className;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function fade(color: string): string {
  return color.replace(/^rgb\(/, 'rgba(').replace(/\)$/, ', 0.12)');
}
