// @ts-check
import { serviceToken } from 'waywiser';

/**
 * What other plugins can ask: `needs: { changes: stateChanges }`.
 * @typedef {{ countOf(device: string): number }} StateChanges
 */

/** @type {import('waywiser').ServiceToken<StateChanges>} */
export const stateChanges = serviceToken('third-party-plugin');
