/** A line without axes. Missing values are gaps in the line. */
export function Sparkline({
  values,
  label,
  width = 96,
  height = 22,
  tone = '',
}: {
  readonly values: readonly (number | null | undefined)[];
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
  readonly tone?: string;
}) {
  const path = drawPath(values, width, height);
  if (path === '') return <span class="quiet">–</span>;
  return (
    <svg
      class={`sparkline ${tone}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path d={path} />
    </svg>
  );
}

/** The path of an SVG: from the bottom, where zero is, to the largest value. */
function drawPath(values: readonly (number | null | undefined)[], width: number, height: number): string {
  const numbers = values.filter((value): value is number => typeof value === 'number');
  if (numbers.length < 2) return '';
  const [low, high] = [Math.min(0, ...numbers), Math.max(...numbers)];
  const room = high - low || 1;
  let isDrawing = false;
  return values
    .map((value, i) => {
      if (value === undefined) return '';
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const x = ((i / Math.max(1, values.length - 1)) * (width - 2) + 1).toFixed(1);
      const y = (height - 2 - ((value - low) / room) * (height - 4)).toFixed(1);
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      return `${command}${x} ${y}`;
    })
    .join('');
}
