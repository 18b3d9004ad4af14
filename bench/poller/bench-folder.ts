/** The layout of the folder of a measured collector. */
export function definitionsOf(folder: string): string {
  return `${folder}/definitions`;
}

export function stateOf(folder: string): string {
  return `${folder}/state`;
}
