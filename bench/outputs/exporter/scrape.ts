import { get } from 'node:http';
import { createGunzip } from 'node:zlib';

/** What Prometheus asks for. */
const headers = {
  accept:
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
  'accept-encoding': 'gzip',
};

/** Reads a whole exposition as Prometheus does and returns the number of samples with matching names. */
export function scrape(url: string, name: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const isZipped = response.headers['content-encoding'] === 'gzip';
      const body = isZipped ? response.pipe(createGunzip()) : response;
      let samples = 0;
      let rest = '';
      body.setEncoding('latin1').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        for (const line of lines) if (name.test(line)) samples++;
      });
      response.on('error', reject);
      body.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(samples);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}
