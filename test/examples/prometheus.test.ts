import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { missingTool } from '../support/needs.ts';

describe('the example for Prometheus', { skip: missingTool('promtool') }, () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['has a configuration without faults', ['check', 'config', 'prometheus.yml']],
    ['has alerts without faults', ['check', 'rules', 'alerts.yml']],
    ['has alerts that fire when they should, and only then', ['test', 'rules', 'alerts.test.yml']],
  ];
  for (const [title, args] of cases) {
    it(title, () => {
      const { status, stdout, stderr } = spawnSync('promtool', args, {
        cwd: 'examples/prometheus',
        encoding: 'utf8',
      });
      assert.equal(status, 0, `${stdout}${stderr}`);
    });
  }
});
