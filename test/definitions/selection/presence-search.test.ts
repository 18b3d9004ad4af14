import { deepEqual, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orderKey } from '../../../src/definitions/selection/order-key.ts';
import { PresenceSearch } from '../../../src/definitions/selection/presence-search.ts';
import { compareOids } from '../../../src/model/oid.ts';
import { seededRandom } from '../../../src/testing/replay/seeded-random.ts';

const candidateOf = (id: string, columns: readonly string[]) => ({
  id,
  columns: columns.toSorted(compareOids).map((oid) => ({ oid, key: orderKey(oid) })),
});

/** Runs a search against a device with these OIDs, and returns what it found and how many OIDs it asked. */
function run(
  candidates: readonly ReturnType<typeof candidateOf>[],
  has: readonly string[],
  skips: (asked: string) => boolean = () => false,
) {
  const oids = has.map((oid) => ({ oid, key: orderKey(oid) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const search = new PresenceSearch(candidates);
  let asked = 0;
  while (!search.isDone) {
    for (const oid of search.next(25)) {
      asked++;
      const key = orderKey(oid);
      search.tell(oid, skips(oid) ? undefined : oids.find((each) => each.key > key)?.oid);
    }
    ok(asked < 20_000, 'it ends');
  }
  return { found: [...search.present.keys()].sort(), asked };
}

describe('the order of keys', () => {
  it('is that of the OIDs, and a prefix stays one', () => {
    const oids = [
      '1',
      '1.3',
      '1.3.6.1.4.1.9',
      '1.3.6.1.4.1.10',
      '1.3.6.1.4.1.10.4294967295',
      '1.3.6.1.4.1.65536',
      '2.1',
    ];
    deepEqual(
      oids.toReversed().sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1)),
      oids,
    );
    ok(orderKey('1.3.65536.7').startsWith(orderKey('1.3.65536')));
    ok(!orderKey('1.31').startsWith(orderKey('1.3')));
  });
});

describe('the search for what a device has', () => {
  it('asks for few of few candidates, too, once it infers, also in a later search of the same device', () => {
    const candidates = Array.from({ length: 200 }, (_, i) => candidateOf(`t${i}`, [`1.3.6.${i}`]));
    const has = ['1.3.6.7.1', '1.3.6.150.1'];
    const keys = has.map(orderKey);
    const searchAll = (infers: boolean, earlier?: PresenceSearch) => {
      const search = new PresenceSearch(candidates, earlier);
      let asked = 0;
      while (!search.isDone) {
        for (const oid of search.next(3)) {
          asked++;
          search.tell(oid, has[keys.findIndex((key) => key > orderKey(oid))]);
        }
        if (infers) search.infer();
      }
      deepEqual([...search.present.keys()].sort(), ['t150', 't7']);
      return { search, asked };
    };
    deepEqual(searchAll(false).asked, 200);
    const { search, asked } = searchAll(true);
    ok(asked < 40, `${asked} asked`);
    ok(searchAll(true, search).asked <= 4);
  });

  it('finds the same as a look at all OIDs, in random trees of any size', () => {
    const random = seededRandom(7);
    const pick = (most: number) => Math.floor(random() * most);
    for (const count of [3, 40, 700, 1_500]) {
      const candidates = Array.from({ length: count }, (_, number) =>
        candidateOf(
          `t${number}`,
          Array.from({ length: 1 + pick(5) }, () => `1.3.${pick(40)}.${pick(200)}.${1 + pick(9)}`),
        ),
      );
      const has = Array.from({ length: 60 }, () => `1.3.${pick(41)}.${pick(200)}.${1 + pick(9)}.${pick(5)}`);
      const isThere = (oid: string) => has.some((each) => each.startsWith(`${oid}.`));
      const expected = candidates.filter(({ columns }) => columns.some(({ oid }) => isThere(oid)));
      deepEqual(run(candidates, has).found, expected.map(({ id }) => id).sort(), `${count} candidates`);
    }
  });

  it('asks little for what is missing, however much is defined', () => {
    const askedOf = (count: number) => {
      const candidates = Array.from({ length: count }, (_, number) =>
        candidateOf(`t${number}`, [`1.3.${number}.1`]),
      );
      return run(candidates, ['1.3.5.1.1', '1.3.77.1.1', `1.3.${count - 3}.1.1`]).asked;
    };
    const [few, many] = [askedOf(1_000), askedOf(20_000)];
    ok(many <= few + 75, `${few} and ${many} OIDs`);
  });

  it('asks for each candidate when the agent contradicts itself', () => {
    const candidates = Array.from({ length: 600 }, (_, number) =>
      candidateOf(`t${number}`, [`1.3.${number}`]),
    );
    const has = Array.from({ length: 600 }, (_, number) => `1.3.${number}.1`);
    // It says that nothing follows what it was first asked.
    const { found } = run(candidates, has, (oid) => oid === '1.3.0');
    deepEqual(found.length, 599);
  });
});
