import { cpuUsage } from 'node:process';
import { DefinitionDirectory } from '../../test/plugins/definitions-loader/support/definition-directory.ts';
import { hostileTexts } from '../../test/plugins/definitions-loader/support/hostile-texts.ts';
import { buildCode, importBuilt } from '../support/built-code.ts';

/** What the worst hostile files cost, by the built code; the tests count steps instead. */
buildCode();
const { DefinitionEngine } = await importBuilt<
  typeof import('../../plugins/definitions-loader/worker/definition-engine.ts')
>('plugins/definitions-loader/worker/definition-engine.ts');
const attempts = 3;

const costs = Object.entries(hostileTexts).flatMap(([name, text]) =>
  ['objects/x.yml', 'enums/integer/x.yml', 'object_groups/x.yml'].map((file) => {
    using directory = new DefinitionDirectory({ [file]: text });
    return { name: `${name} in ${file}`, cpuMs: leastCpuMs(() => read(directory.path)) };
  }),
);
for (const { name, cpuMs } of costs.sort((a, b) => b.cpuMs - a.cpuMs).slice(0, 3)) {
  print(`to refuse ${name}, CPU`, cpuMs, '≤ 200');
}
using crowded = new DefinitionDirectory(
  Object.fromEntries(Array.from({ length: 10_050 }, (_, i) => [`objects/f${i}.yml`, ''])),
);
print(
  'to refuse a folder of 10,050 files, CPU',
  leastCpuMs(() => read(crowded.path)),
  '≤ 200',
);

function read(directory: string): void {
  const { problems } = new DefinitionEngine({}).read({ directories: [directory] }, undefined);
  if (problems[0]?.level !== 'error') throw new Error('A hostile file was not refused.');
}

/** Of several attempts, as other programs use the machine too. */
function leastCpuMs(run: () => void): number {
  const costs = Array.from({ length: attempts }, () => {
    const begun = cpuUsage();
    run();
    const { user, system } = cpuUsage(begun);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}

function print(figure: string, value: number, target: string): void {
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit: 'ms', target }));
}
