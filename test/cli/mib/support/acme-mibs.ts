import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const object = (name: string, syntax: string, value: string, clauses = '') =>
  `${name} OBJECT-TYPE SYNTAX ${syntax} ${clauses} MAX-ACCESS read-only STATUS current
  DESCRIPTION "About ${name}.\u001b[31m
    \u009b32m Its second line." ::= { ${value} }\n`;

/** Tables with indexes of each kind, and values that need enums, hints, units and bits. */
const acme = `ACME-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises FROM SNMPv2-SMI MacAddress FROM SNMPv2-TC portIndex FROM ACME-PORT-MIB;
acme OBJECT IDENTIFIER ::= { enterprises 9999 }
Celsius ::= TEXTUAL-CONVENTION DISPLAY-HINT "d-1" STATUS current DESCRIPTION "" SYNTAX Integer32
Label ::= TEXTUAL-CONVENTION DISPLAY-HINT "64t" STATUS current DESCRIPTION "" SYNTAX OCTET STRING
${object('acmeHeat', 'Celsius', 'acme 1', 'UNITS "degrees"')}
${object('acmeDays', 'BITS { sunday(0), monday(1), friday(9) }', 'acme 2')}
${object('acmeLabel', 'Label', 'acme 3')}
${object('acmeKind', 'OBJECT IDENTIFIER', 'acme 4')}
${object('acmeTable', 'SEQUENCE OF AcmeEntry', 'acme 5')}
${object('acmeEntry', 'AcmeEntry', 'acmeTable 1', '').replace(' ::=', ' INDEX { portIndex, acmeMac, acmeState, acmeHost, IMPLIED acmeName } ::=')}
AcmeEntry ::= SEQUENCE { acmeMac MacAddress }
${object('acmeMac', 'MacAddress', 'acmeEntry 1')}
${object('acmeState', 'INTEGER { up(1), down(2) }', 'acmeEntry 2')}
${object('acmeHost', 'IpAddress', 'acmeEntry 3')}
${object('acmeName', 'OCTET STRING', 'acmeEntry 4')}
${object('acmeBytes', 'Counter64', 'acmeEntry 5', 'UNITS "bytes"')}
END
`;

const port = `ACME-PORT-MIB DEFINITIONS ::= BEGIN
IMPORTS enterprises FROM SNMPv2-SMI;
ports OBJECT IDENTIFIER ::= { enterprises 9998 }
acmeHeat OBJECT IDENTIFIER ::= { ports 7 }
${object('portTable', 'SEQUENCE OF PortEntry', 'ports 1')}
${object('portEntry', 'PortEntry', 'portTable 1').replace(' ::=', ' INDEX { portIndex } ::=')}
PortEntry ::= SEQUENCE { portIndex INTEGER }
${object('portIndex', 'INTEGER (1..99)', 'portEntry 1')}
END
`;

/** A folder with ACME-MIB and ACME-PORT-MIB. */
export function writeAcmeMibs(test?: TestContext): string {
  const folder = temporaryFolder(test);
  writeFileSync(join(folder, 'ACME-MIB.txt'), acme);
  writeFileSync(join(folder, 'ACME-PORT-MIB.txt'), port);
  return folder;
}

/** The OID of ACME-MIB::acme. */
export const acmeOid = '1.3.6.1.4.1.9999';
/** Of a row: port 3, a MAC address, down, 192.0.2.7, "hi". */
export const rowInstance = '3.0.27.33.170.187.204.2.192.0.2.7.104.105';
