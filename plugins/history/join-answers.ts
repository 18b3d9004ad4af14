/** An answer of one member, as its route writes it. */
export interface JoinedAnswer {
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

interface Series {
  readonly device: string;
  readonly record: string;
  readonly row: string;
  readonly field: string;
  readonly values: readonly (number | null)[];
}

/** What several members have polled of several devices. Of a device that moved, the member that has the latest value knows it. */
export function joinAnswers(
  answers: readonly JoinedAnswer[],
  { device }: { readonly device: string | readonly string[] },
): JoinedAnswer {
  const times = [...new Set(answers.flatMap((answer) => answer.times))].sort((a, b) => a - b);
  const placeOf = new Map(times.map((timeMs, place) => [timeMs, place]));
  const latest = new Map<string, { readonly place: number; readonly series: Series }>();
  for (const answer of answers)
    for (const series of answer.series) {
      const values = new Array<number | null>(times.length).fill(null);
      let place = -1;
      for (const [i, value] of series.values.entries()) {
        if (value === null) continue;
        place = placeOf.get(answer.times[i]!)!;
        values[place] = value;
      }
      const key = JSON.stringify([series.device, series.record, series.row, series.field]);
      if ((latest.get(key)?.place ?? -2) < place) latest.set(key, { place, series: { ...series, values } });
    }
  const order = new Map([device].flat().map((name, i) => [name, i]));
  const series = Array.from(latest.values(), (each) => each.series);
  series.sort((a, b) => order.get(a.device)! - order.get(b.device)!);
  return { ...answers[0]!, times, series };
}
