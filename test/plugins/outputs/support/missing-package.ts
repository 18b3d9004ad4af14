/** Rejects like an import of a package that is not installed. */
export function missingPackage(name: string): () => Promise<never> {
  const error = new Error(`Cannot find package '${name}' imported from somewhere`);
  return () => Promise.reject(Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' }));
}
