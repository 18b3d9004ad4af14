import { get } from 'node:http';

/** Reads a whole exposition and returns the number of samples with matching names. */
export function scrape(url: string, name: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      let samples = 0;
      let rest = '';
      response.setEncoding('latin1').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        for (const line of lines) if (name.test(line)) samples++;
      });
      response.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(samples);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}
