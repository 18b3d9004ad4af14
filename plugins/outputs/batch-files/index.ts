import { defineOutput, pathOption, pipelineToken, Type } from '../../../src/index.ts';
import { checkWritable } from '../../../src/storage/index.ts';
import { BatchArchive } from './batch-archive.ts';

const seconds = (description: string) => Type.Integer({ minimum: 0, default: 0, description });

export default defineOutput({
  name: 'batch-files',
  summary: 'Writes batches in their binary form to files, which `waywiser output read` prints.',
  rates: true,
  events: true,
  options: Type.Object({
    directory: pathOption({ description: 'directory of the files; no other program may write there' }),
    rotate: Type.Object(
      {
        max_bytes: Type.Integer({
          minimum: 1 << 16,
          default: 100_000_000,
          description: 'size at which a new file begins',
        }),
        max_age_s: seconds('age at which a new file begins; 0 means never'),
      },
      { default: {}, description: 'when a new file begins' },
    ),
    keep: Type.Object(
      {
        max_bytes: Type.Integer({
          minimum: 0,
          default: 0,
          description: 'most space that all files may take; the oldest are removed first; 0 means no limit',
        }),
        max_age_s: seconds('files whose content is older are removed; 0 means never'),
      },
      { default: {}, description: 'how long files are kept' },
    ),
  }),
  needs: { pipeline: pipelineToken },
  check: ({ options }) => checkWritable(options.directory),
  async open({ options: { directory, rotate, keep }, needs, log }) {
    const archive = await BatchArchive.open(
      {
        directory,
        rotation: { maxBytes: rotate.max_bytes, maxAgeMs: rotate.max_age_s * 1000 },
        keep: { maxBytes: keep.max_bytes, maxAgeMs: keep.max_age_s * 1000 },
      },
      {
        encoder: needs.pipeline.encoder,
        onError: (error) => log.error({ error, directory }, 'Writing batch files failed.'),
        now: Date.now,
      },
    );
    return { write: (batches) => archive.write(batches), close: () => archive.close() };
  },
});
