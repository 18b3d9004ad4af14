/** What an Accept or Accept-Encoding header wants, by media type or coding, from 0 to 1. */
function weigh(header: string | undefined): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').split(',').slice(0, 32)) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    if (name !== '' && weight >= (weights.get(name) ?? 0)) weights.set(name, weight);
  }
  return weights;
}

/** OpenMetrics only for who asks for it by name, and not less than for the classic format. */
export function wantsOpenMetrics(accept: string | undefined): boolean {
  const weights = weigh(accept);
  const openMetrics = weights.get('application/openmetrics-text') ?? 0;
  return openMetrics > 0 && openMetrics >= (weights.get('text/plain') ?? 0);
}

export function wantsGzip(acceptEncoding: string | undefined): boolean {
  const weights = weigh(acceptEncoding);
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
