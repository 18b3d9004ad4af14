import { readdirSync } from 'node:fs';
import { importRules } from '../house/import-rules.ts';

const [width, margin, boxHeight, gap] = [960, 16, 30, 8];
const perRow = 6;

interface Floor {
  readonly name: string;
  readonly what: string;
  readonly rooms: readonly string[];
}

/** The four floors of the house with their rooms, as they are in the folders. */
export function renderHousePicture(): string {
  const floors: readonly Floor[] = [
    { name: 'cli', what: 'the program', rooms: foldersOf('cli') },
    { name: 'authoring', what: 'for people who write definitions', rooms: foldersOf('authoring') },
    { name: 'plugins', what: 'the built-in plugins', rooms: foldersOf('plugins') },
    { name: 'src', what: 'libraries, each with a door', rooms: libraries() },
  ];
  let y = margin;
  const parts = floors.map((floor) => {
    const drawn = drawFloor(floor, y);
    y += heightOf(floor) + margin;
    return drawn;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="system-ui, sans-serif" font-size="13">`,
    '<title>Four floors: arrows go down only</title>',
    `<rect width="${width}" height="${y}" fill="#fff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function drawFloor({ name, what, rooms }: Floor, y: number): string {
  const boxWidth = (width - 2 * margin - 2 * gap - (perRow - 1) * gap) / perRow;
  const boxes = rooms.map((room, i) => {
    const x = margin + gap + (i % perRow) * (boxWidth + gap);
    const top = y + 30 + Math.floor(i / perRow) * (boxHeight + gap);
    return (
      `<rect x="${round(x)}" y="${top}" width="${round(boxWidth)}" height="${boxHeight}" rx="5" fill="#fff" stroke="#8aa"/>` +
      `<text x="${round(x + boxWidth / 2)}" y="${top + 20}" text-anchor="middle">${room}</text>`
    );
  });
  const height = heightOf({ name, what, rooms });
  return [
    `<rect x="${margin}" y="${y}" width="${width - 2 * margin}" height="${height}" rx="8" fill="#eef4f4" stroke="#577"/>`,
    `<text x="${margin + gap}" y="${y + 20}"><tspan font-weight="bold">${name}</tspan><tspan dx="10" fill="#455">${what}</tspan></text>`,
    ...boxes,
  ].join('\n');
}

function heightOf({ rooms }: Floor): number {
  return 30 + Math.ceil(rooms.length / perRow) * (boxHeight + gap);
}

function foldersOf(floor: string): string[] {
  return readdirSync(new URL(`../../${floor}`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** From the top: what others stand on comes last. */
function libraries(): string[] {
  const found = importRules.flatMap(({ path }) => /^src\/([\w-]+)\/$/.exec(path)?.[1] ?? []);
  return found.reverse();
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
