/** Where a measured collector has what in its folder. */
export function definitionsOf(folder: string): string {
  return `${folder}/definitions`;
}

export function stateOf(folder: string): string {
  return `${folder}/state`;
}
