/** A number and what it counts: `1 row`, `2 rows`, `0 boxes` with `boxes` as the plural. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
