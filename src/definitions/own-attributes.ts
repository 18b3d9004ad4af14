/** The attributes that are columns of their object's table: those with `at` are read in other tables. */
export function* ownAttributes<Attribute extends { readonly at: readonly number[] | undefined }>(
  attributes: ReadonlyMap<string, Attribute>,
): Generator<Attribute> {
  for (const attribute of attributes.values()) if (attribute.at === undefined) yield attribute;
}
