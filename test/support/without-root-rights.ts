import { getuid } from 'node:process';
import { missingTool } from './needs.ts';

/** The start of a command line whose program may not use files that their mode forbids, although the tests run as root. */
export const withoutRootRights: readonly string[] =
  getuid?.() === 0
    ? [
        'setpriv',
        '--bounding-set=-dac_override,-dac_read_search',
        '--inh-caps=-dac_override,-dac_read_search',
      ]
    : [];

export const missingSetpriv = withoutRootRights.length === 0 ? false : missingTool('setpriv');
