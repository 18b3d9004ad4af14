import { dirname } from 'node:path';
import { defineOutput, pathOption, Type } from '../../../src/index.ts';
import { documentOptions, LineRenderer } from '../../../src/output-kit/index.ts';
import { checkWritable } from '../../../src/storage/index.ts';
import { GroupWriter } from './file/group-writer.ts';
import { LineFile } from './file/line-file.ts';
import { createDescriptorTarget } from './file/standard-output.ts';

const standardOutput = 1;

export default defineOutput({
  name: 'ndjson',
  summary: 'Writes one JSON document per row to a file or to standard output.',
  rates: true,
  events: true,
  module: import.meta.url,
  options: Type.Object({
    file: Type.Optional(pathOption({ description: 'file to write; by default standard output' })),
    ...documentOptions,
    fsync: Type.Boolean({
      default: true,
      description: 'write each group to the disk before it counts as delivered',
    }),
    rotate: Type.Object(
      {
        max_bytes: Type.Integer({
          minimum: 0,
          default: 100_000_000,
          description: 'size at which a new file begins; 0 means never',
        }),
        max_age_s: Type.Integer({
          minimum: 0,
          default: 0,
          description: 'age at which a new file begins; 0 means never',
        }),
        keep: Type.Integer({
          minimum: 0,
          default: 0,
          description: 'how many rotated files are kept; 0 means all',
        }),
        gzip: Type.Boolean({ default: true, description: 'compress rotated files' }),
      },
      { default: {}, description: 'when a new file begins, and what happens to the old one' },
    ),
  }),
  check({ options: { file } }) {
    if (file !== undefined) checkWritable(dirname(file));
  },
  async open({ options, log }) {
    const { file: path, nested, gaps, fsync, rotate } = options;
    const { gzip, keep, max_bytes: maxBytes } = rotate;
    const rotation = { gzip, keep, maxBytes, maxAgeMs: rotate.max_age_s * 1000 };
    const target =
      path === undefined
        ? createDescriptorTarget(standardOutput)
        : await LineFile.open({ path, fsync, rotation }, { log, now: Date.now });
    const renderer = new LineRenderer({ nested, gaps });
    const writer = new GroupWriter(target, (batches) => renderer.render(batches));
    return { write: (batches) => writer.write(batches), close: () => target.close() };
  },
});
