/** A number as C's `%f` prints it. */
export function formatReal(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.000000';
  // From here on toFixed would switch to exponents; such doubles are whole numbers.
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.000000`;
  return isHalfway(value) ? roundToEven(value.toFixed(7)) : value.toFixed(6);
}

/** Whether six decimals fall exactly between two neighbours: the odd multiples of 1/128. C then takes the even one. */
function isHalfway(value: number): boolean {
  return Number.isInteger(value * 128) && !Number.isInteger(value * 64);
}

function roundToEven(sevenDecimals: string): string {
  const truncated = sevenDecimals.slice(0, -1);
  const isEven = Number(truncated.at(-1)) % 2 === 0;
  return isEven ? truncated : Number(sevenDecimals).toFixed(6);
}
