/** Plugins start from left to right and stop from right to left: sources stop, queues drain, services close. */
export const pluginKinds = ['service', 'output', 'processor', 'source', 'api'] as const;
export type PluginKind = (typeof pluginKinds)[number];
