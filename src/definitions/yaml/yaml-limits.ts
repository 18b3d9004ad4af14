/** Limits of one YAML document. */
export const yamlLimits = {
  maxDepth: 64,
  maxLines: 32_768,
  maxAliases: 100,
  /** Nodes that aliases may add in all: a few aliases of aliases can multiply to billions. */
  maxAliasedNodes: 100_000,
  /** In one file. After these are fixed, the next ones are listed. */
  maxProblems: 100,
} as const;
