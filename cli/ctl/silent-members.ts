import { colours } from '../terminal/colours.ts';
import { plainText } from '../terminal/plain-text.ts';

interface FleetAnswer {
  readonly silentMembers?: readonly { readonly name: string; readonly reason: string }[];
}

/** Says on stderr which members of a cluster did not answer: what they know is missing in what is printed. */
export function warnSilent(answer: object): void {
  const { silentMembers = [] } = answer as FleetAnswer;
  for (const { name, reason } of silentMembers)
    console.error(
      colours.yellow(`The answer is not complete. The member ${plainText(name)}: ${plainText(reason)}`),
    );
}
