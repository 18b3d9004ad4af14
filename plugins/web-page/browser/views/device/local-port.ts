import type { RecordRow } from '../../../../../src/client/index.ts';
import { type RecordTable, rowsOf, textOf } from './device-rows.ts';

/** A MAC address, other octets, or a number: people do not know a port by these. */
const noName =
  /^(?:\d+|0x[0-9a-f]*|(?:[0-9a-f]{1,2}[:.-]){5}[0-9a-f]{1,2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})$/i;

/**
 * The port at which a device sees an LLDP neighbour, by its name wherever the device says one: as the port id, as the name of the interface
 * with this address or number, or as the description of the port.
 */
export function localPort(tables: readonly RecordTable[], row: RecordRow): string {
  const number = textOf(row, 'lldp.local.port.number');
  const port = rowsOf(tables, 'LLDP-MIB::lldpLocPortEntry').find(
    (each) => textOf(each, 'lldp.local.port.number') === number,
  );
  const [id, description] = [textOf(port, 'lldp.local.port.id'), textOf(port, 'lldp.local.port.descr')];
  const names = [id, interfaceName(tables, id, number), description];
  return names.find((name) => name !== '' && !noName.test(name)) ?? (description || id || number);
}

/** The name of the interface that has this address alone, or is it by its number and has the address. */
function interfaceName(tables: readonly RecordTable[], id: string, number: string): string {
  const interfaces = rowsOf(tables, 'IF-MIB::ifEntry');
  const address = hexDigits(id);
  const owners = interfaces.filter(
    (each) => address.length === 12 && hexDigits(textOf(each, 'netif.mac')) === address,
  );
  const owner =
    owners.length === 1 ? owners[0] : owners.find((each) => textOf(each, 'netif.index') === number);
  const byNumber = interfaces.find((each) => textOf(each, 'netif.index') === id);
  return textOf(owner ?? byNumber, 'netif.name') || textOf(owner ?? byNumber, 'netif.descr');
}

function hexDigits(text: string): string {
  return text
    .replace(/^0x/, '')
    .replaceAll(/[^0-9a-f]/gi, '')
    .toLowerCase();
}
