import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CollectorProcess } from '../cli/support/collector-process.ts';
import { missingTool } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the systemd unit', () => {
  const unit = readFileSync('examples/systemd/waywiser.service', 'utf8');

  it('is accepted by systemd-analyze', { skip: missingTool('systemd-analyze') }, (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'waywiser.service');
    writeFileSync(file, unit.replace('ExecStart=waywiser', `ExecStart=${process.execPath}`));
    execFileSync('systemd-analyze', ['verify', '--man=no', file], { stdio: 'pipe' });
  });

  it('starts the collector, which stops on SIGTERM', async (t) => {
    const [, command] = /^ExecStart=waywiser (.*)$/m.exec(unit)!;
    const collector = new CollectorProcess(t);
    collector.writePlugin('idle', 'start() {}');
    collector.write('waywiser.yml', 'plugins:\n  ./idle.js: {}\n');
    const config = join(collector.folder, 'waywiser.yml');
    collector.run(command!.replace('/etc/waywiser/waywiser.yml', config).split(' '));
    await collector.reads('The collector is ready.');
    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 0, collector.stderr);
  });
});

describe('the Dockerfile', () => {
  const text = readFileSync('examples/docker/Dockerfile', 'utf8');
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

  it('copies existing files, and everything that the package needs at run time', () => {
    const copies = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
      sources!.split(' '),
    );
    for (const source of copies) assert.ok(existsSync(source), source);
    for (const part of ['definitions', 'LICENSE', 'package.json']) assert.ok(copies.includes(part), part);
  });

  it('gives its user a state directory, and nothing else', () => {
    assert.match(text, /^RUN install -d -o node -g node \/state$/m);
    assert.ok(text.indexOf('/state') < text.indexOf('USER node'), 'root creates it');
  });

  it('starts the command of the package', () => {
    assert.ok(text.includes(`ENTRYPOINT ["node", "/app/${manifest.bin.waywiser}"]`));
    assert.ok(text.includes('CMD ["start", "--config", "/config/waywiser.yml"]'));
  });
});
