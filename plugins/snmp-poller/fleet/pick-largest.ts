/** The `count` items of the largest values, largest first, in one pass: a sort of 100,000 would hold up polls. */
export function pickLargest<Item>(
  items: Iterable<Item>,
  count: number,
  measure: (item: Item) => number,
): Item[] {
  const picked: { readonly item: Item; readonly value: number }[] = [];
  for (const item of items) {
    const value = measure(item);
    if (picked.length === count && value <= picked.at(-1)!.value) continue;
    let at = picked.length;
    while (at > 0 && picked[at - 1]!.value < value) at--;
    picked.splice(at, 0, { item, value });
    if (picked.length > count) picked.pop();
  }
  return picked.map(({ item }) => item);
}
