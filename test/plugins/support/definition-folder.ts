import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** Definition files of a test's own, and two object groups over tables that test/recordings answers. */
export class DefinitionFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'waywiser-definitions-'));

  /** `copied` is a folder whose files take the place of the small ones. */
  constructor(test: TestContext, files: Readonly<Record<string, string>> = {}, copied?: string) {
    test.after(() => rmSync(this.path, { recursive: true, force: true }));
    if (copied !== undefined) cpSync(copied, this.path, { recursive: true });
    const small = copied === undefined ? smallDefinitions : {};
    for (const [name, text] of Object.entries({ ...small, ...files })) this.write(name, text);
  }

  write(name: string, text: string): void {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** The devices, by name; each is in the groups given. */
  writeDevices(
    devices: readonly { readonly name: string; readonly port: number; readonly groups: string }[],
  ): void {
    const entries = devices.map(
      ({ name, port, groups }) =>
        `${name}: { ip: 127.0.0.1, port: ${port}, version: 2c, communities: [public], timeout: 300, retries: 1, ${groups} }\n`,
    );
    this.write('devices/all.yml', entries.join(''));
  }
}

/** `ifTable` with a 64-bit override for interface devices, `system` for all; both as small as they can be. */
export const smallDefinitions: Readonly<Record<string, string>> = {
  'objects/system.yml': `SNMPv2-MIB::system:
  mib: SNMPv2-MIB
  object: system
  attributes:
    sysDescr: { oid: .1.3.6.1.2.1.1.1, name: system.description, syntax: DisplayString, tag: true }
    sysUpTime: { oid: .1.3.6.1.2.1.1.3, name: system.uptime, syntax: TicksCentiSec, metric: gauge }
`,
  'objects/interfaces.yml': `IF-MIB::ifEntry:
  mib: IF-MIB
  object: ifEntry
  index: [{ type: Integer, oid: .1.3.6.1.2.1.2.2.1.1, name: netif, syntax: InterfaceIndex }]
  discovery_attribute: ifDescr
  attributes:
    ifDescr: { oid: .1.3.6.1.2.1.2.2.1.2, name: netif.description, syntax: DisplayString, tag: true }
    ifInOctets: { oid: .1.3.6.1.2.1.2.2.1.10, name: netif.bytes.in, syntax: BytesB, metric: counter }
IF-MIB::ifXEntry:
  mib: IF-MIB
  object: ifXEntry
  augments: IF-MIB::ifEntry
  discovery_attribute: ifName
  attributes:
    ifName: { oid: .1.3.6.1.2.1.31.1.1.1.1, name: netif.name, syntax: DisplayString, tag: true }
    ifHCInOctets:
      oid: .1.3.6.1.2.1.31.1.1.1.6
      name: netif.bytes.in
      syntax: BytesB
      metric: counter
      overrides: { object: IF-MIB::ifEntry, attribute: ifInOctets }
`,
  'object_groups/groups.yml': `system: { objects: [SNMPv2-MIB::system] }
interfaces: { objects: [IF-MIB::ifEntry, IF-MIB::ifXEntry] }
`,
  'device_groups/groups.yml': `plain: { object_groups: [system] }
switch: { object_groups: [system, interfaces] }
`,
};
