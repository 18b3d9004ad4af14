/** What one YAML document may ask of its reader. */
export const yamlLimits = {
  maxDepth: 64,
  maxLines: 32_768,
  maxAliases: 100,
  /** Nodes that aliases may add: a bomb of few aliases multiplies, an honest file adds. */
  maxAliasedNodes: 100_000,
  /** In one file; who has mended these sees the next. */
  maxProblems: 100,
} as const;
