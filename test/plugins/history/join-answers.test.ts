import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinAnswers } from '../../../plugins/history/join-answers.ts';

const seriesOf = (device: string, values: readonly (number | null)[], gaps: readonly object[] = []) => ({
  device,
  record: 'IF-MIB::ifEntry',
  row: 'a',
  field: 'netif.index',
  values,
  gaps,
});

describe('the histories of several members', () => {
  it('are one answer with all times, and each device is that of the member that polled it last', () => {
    const gap = { from: 30, to: 40, why: 'unpolled' };
    const answers = [
      { times: [], series: [] },
      { times: [10, 20, 30], series: [seriesOf('a', [1, null, 3]), seriesOf('moved', [5, 6, null], [gap])] },
      { times: [15, 30], series: [seriesOf('b', [7, 8]), seriesOf('moved', [null, 9])] },
    ];
    const joined = joinAnswers(answers, { device: ['b', 'a', 'moved'] });
    assert.deepEqual(joined, {
      times: [10, 15, 20, 30],
      series: [
        seriesOf('b', [null, 7, null, 8]),
        seriesOf('a', [1, null, null, 3]),
        seriesOf('moved', [null, null, null, 9]),
      ],
    });
  });
});
