import { kernelFailure } from '../../kernel/errors.ts';

/**
 * Loads a package that only some users need: `importOptional('pg@8', () => import('pg'))`. Throws PACKAGE_NOT_INSTALLED,
 * which says how to install it, when it is not there; any other failure of the import as it is.
 */
export async function importOptional<Module>(
  specification: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const name = specification.replace(/(?<=.)@.*$/, '');
    if (!isMissing(error, name)) throw error;
    throw kernelFailure('PACKAGE_NOT_INSTALLED', { package: name, specification });
  }
}

/** A package that is there but lacks one of its own dependencies is missing something else. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const isNotFound = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
  return isNotFound && error.message.includes(`'${name}'`);
}
