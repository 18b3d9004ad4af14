import type { Shards } from './shards.ts';

export interface WorkerAnswer {
  readonly worker: string;
  /** Undefined when the worker did not answer with 200. */
  readonly text: Buffer | undefined;
  readonly error?: unknown;
}

/** Reads the same path of each worker of this process. Never rejects. */
export function askWorkers(
  { fleet, workers = () => [] }: Pick<Shards, 'fleet' | 'workers'>,
  path: string,
  {
    headers = {},
    timeoutMs,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly timeoutMs: number },
): Promise<readonly WorkerAnswer[]> {
  return Promise.all(
    workers().map(async (member) => {
      const worker = member.name;
      try {
        const answer = await fleet!.requests!.ask(member, { method: 'GET', path, headers, timeoutMs });
        const chunks: Buffer[] = [];
        for await (const chunk of answer.body) chunks.push(chunk);
        if (answer.status !== 200) throw new Error(`it answered ${answer.status}`);
        return { worker, text: Buffer.concat(chunks) };
      } catch (error) {
        return { worker, text: undefined, error };
      }
    }),
  );
}
