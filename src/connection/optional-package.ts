import { kernelFailure } from '../kernel/errors.ts';

/**
 * Imports a package that only users of this output install: `importOptional('pg@8', () => import('pg'))`. Throws
 * PACKAGE_NOT_INSTALLED, with the command that installs it, when the package is missing; passes on any other failure of the import.
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

/** False for an installed package that lacks one of its own dependencies. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const isNotFound = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
  return isNotFound && error.message.includes(`'${name}'`);
}
