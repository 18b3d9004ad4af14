import { parseRecording, startReplayAgent } from '../../src/testing/index.ts';
import { benchUser } from './bench-user.ts';
import { rows } from './load.ts';

/** One replayed device with ifTable and ifXTable; sends its port to the parent process. */
const lines: string[] = [];
for (const [entry, columns, wide] of [
  ['1.3.6.1.2.1.2.2.1', 22, 65],
  ['1.3.6.1.2.1.31.1.1.1', 19, 70],
] as const) {
  for (let column = 1; column <= columns; column++) {
    for (let row = 1; row <= rows; row++)
      lines.push(`${entry}.${column}.${row}|${wide}|${column * 1000 + row}`);
  }
}
const agent = await startReplayAgent({ recording: parseRecording(lines.join('\n')), users: [benchUser] });
process.send?.(agent.port);
process.on('disconnect', () => agent.close());
