/** Writes moments as ISO 8601. Many devices share one, and writing it costs more than all the rest of a device. */
export function createIsoTime(): (ms: number) => string {
  let lastMs = Number.NaN;
  let lastText = '';
  return (ms) => {
    if (ms !== lastMs) {
      lastText = new Date(ms).toISOString();
      lastMs = ms;
    }
    return lastText;
  };
}
