import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { findFreePort } from '../support/free-port.ts';
import { onlyLong } from '../support/long-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildImage, type ImageStage, missingImageRights } from './support/image-build.ts';
import { checkout } from './support/packed-package.ts';
import { becomesReady } from './support/ready-collector.ts';

describe('the image of examples/docker', { skip: onlyLong || missingImageRights }, () => {
  const docker = join(checkout, 'examples/docker');
  const folder = temporaryFolder();
  let image: ImageStage;

  before(async () => {
    image = await buildImage(readFileSync(join(docker, 'Dockerfile'), 'utf8'), checkout, folder);
  });

  it('is built from the files that its Dockerfile copies, starts as its user, and becomes ready', async (t) => {
    const port = await findFreePort();
    const [, yaml] = /```yaml\n([\s\S]+?)```/.exec(readFileSync(join(docker, 'README.md'), 'utf8'))!;
    assert.match(yaml!, /host: 0\.0\.0\.0/);
    mkdirSync(join(image.root, 'config/secrets'), { recursive: true });
    writeFileSync(
      join(image.root, 'config/waywiser.yml'),
      yaml!.replace('host: 0.0.0.0', `host: 127.0.0.1, port: ${port}`),
    );

    const collector = image.start({ stdio: ['ignore', 'ignore', 'pipe'] });
    t.after(() => void collector.kill('SIGKILL'));
    await becomesReady(collector, `http://127.0.0.1:${port}`);
  });
});
