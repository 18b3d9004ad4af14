import { defineOutput, pathOption, pipelineToken, Type } from '../../../src/index.ts';
import { BatchArchive } from './batch-archive.ts';

const seconds = (description: string) => Type.Integer({ minimum: 0, default: 0, description });

export default defineOutput({
  name: 'batch-files',
  summary: 'Keeps batches in their binary form, in files that waywiser output read prints.',
  options: Type.Object({
    directory: pathOption({ description: 'where the files are; nobody else may write there' }),
    rotate: Type.Object(
      {
        max_bytes: Type.Integer({
          minimum: 1 << 16,
          default: 100_000_000,
          description: 'a file of this size makes room for a new one',
        }),
        max_age_s: seconds('a file of this age makes room for a new one; 0 for never'),
      },
      { default: {}, description: 'when a file is full' },
    ),
    keep: Type.Object(
      {
        max_bytes: Type.Integer({
          minimum: 0,
          default: 0,
          description: 'how much all files may take; the oldest go first; 0 for any',
        }),
        max_age_s: seconds('files with nothing that is younger go; 0 for never'),
      },
      { default: {}, description: 'how much stays of what was written' },
    ),
  }),
  needs: { pipeline: pipelineToken },
  async open({ options: { directory, rotate, keep }, needs, log }) {
    const archive = await BatchArchive.open(
      {
        directory,
        rotation: { maxBytes: rotate.max_bytes, maxAgeMs: rotate.max_age_s * 1000 },
        keep: { maxBytes: keep.max_bytes, maxAgeMs: keep.max_age_s * 1000 },
      },
      {
        encoder: needs.pipeline.encoder,
        onError: (error) => log.error({ error, directory }, 'The files have trouble with their disk.'),
        now: Date.now,
      },
    );
    return { write: (batches) => archive.write(batches), close: () => archive.close() };
  },
});
