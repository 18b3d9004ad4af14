import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from '../../../../../src/index.ts';
import { createTestBatch } from '../../../../../src/testing/index.ts';
import { type Certificates, makeCertificates } from '../certificates.ts';
import { runOutput, startFailure } from '../running-output.ts';

const notTrusted = /^No encrypted connection to .+ could be made/;

/** An output whose server requires a client certificate of its authority. */
export interface TlsOutput {
  readonly plugin: Plugin;
  /** All options except `tls`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly certificates: Certificates;
  /** The error without a client certificate. */
  readonly withoutCertificate?: RegExp;
}

/**
 * Proves that the output delivers nothing to a server of another authority, nor without the certificate that is asked for, says
 * so, and delivers as soon as the files on the disk have been replaced by the right ones; and that wrong files end the start.
 */
export async function checkTls(output: TlsOutput): Promise<void> {
  const { plugin, options, env = {}, certificates, withoutCertificate = notTrusted } = output;
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-tls-'));
  try {
    mkdirSync(join(folder, 'strangers'));
    const strangers = makeCertificates(join(folder, 'strangers'));
    const { ca, client } = certificates;
    const run = (tls: object) =>
      runOutput(plugin, { ...options, tls }, { env, delivery: { stall_after_ms: 0 } });
    for (const [tls, expected] of [
      [client, notTrusted],
      [{ ...client, ca: strangers.ca }, notTrusted],
      [{ ...strangers.client, ca }, notTrusted],
      [{ ca }, withoutCertificate],
    ] as const) {
      await using refused = await run(tls);
      refused.push(createTestBatch());
      await refused.until(() => refused.stalls.length > 0);
      assert.match(refused.stalls[0]!, expected);
      assert.deepEqual([refused.counters.delivered, refused.counters.queued], [0, 1]);
    }

    const own = { ca: join(folder, 'ca'), cert: join(folder, 'cert'), key: join(folder, 'key') };
    const place = (files: Readonly<Record<keyof typeof own, string>>) => {
      for (const name of ['ca', 'cert', 'key'] as const) copyFileSync(files[name], own[name]);
    };
    place({ ca: strangers.ca, ...strangers.client });
    await using renewed = await run(own);
    renewed.push(createTestBatch());
    await renewed.until(() => renewed.stalls.length > 0);
    rmSync(own.key);
    await renewed.until(() => renewed.logText.includes('Correct tls.key') || renewed.counters.retries > 2);
    place({ ca, ...client });
    await renewed.deliver();
    assert.equal(renewed.counters.delivered, 1);

    const missing = await startFailure(plugin, { ...options, tls: { ca: join(folder, 'none') } }, env);
    assert.match(missing, /The file .+none for .+ cannot be read\. Correct tls\.ca\./);
    const mixed = { cert: client.cert, key: strangers.client.key };
    const unusable = await startFailure(plugin, { ...options, tls: mixed }, env);
    assert.match(unusable, /The TLS files for .+ cannot be used: .*key values mismatch/);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
