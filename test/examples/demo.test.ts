import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DefinitionEngine } from '../../plugins/definitions-loader/worker/definition-engine.ts';

describe('the demonstration', () => {
  it('has definitions without a problem over those that ship', () => {
    const engine = new DefinitionEngine({});
    const directories = ['definitions', 'examples/demo/definitions'];
    const report = engine.read({ directories }, 'examples/demo/secrets');
    assert.deepEqual(report.problems, []);
    assert.equal(report.counts.devices, 12);
  });

  it('has an entry for each of its devices', () => {
    const portsIn = (path: string) =>
      [...readFileSync(path, 'utf8').matchAll(/port: (\d+)/g)].map(([, port]) => port);
    assert.deepEqual(
      portsIn('examples/demo/demo-devices.js'),
      portsIn('examples/demo/definitions/devices/demo.yml'),
    );
  });
});
