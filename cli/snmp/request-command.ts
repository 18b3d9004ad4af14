import { Command } from 'commander';
import { authProtocols, listTitles, privProtocols } from '../../src/model/v3-protocols.ts';
import { collect } from '../terminal/repeated-option.ts';
import { type CandidateLetter, candidateLetters, type TypedLetters } from './options/candidates.ts';
import { joinRepetitions } from './options/request-options.ts';

export const targetForms = 'a device of the configuration, HOST, HOST:PORT or [IPV6]:PORT';
export const mibsText = 'MIB files or a directory with them, for names; repeat it';

const communityText = 'community, or ${env:NAME} to read a variable (default: public)';

/** A command with the option letters of net-snmp. */
export class RequestCommand extends Command {
  /** @param role `asks` a device, `sends` notifications or `receives` them */
  constructor(name: string, role: 'asks' | 'sends' | 'receives' = 'asks') {
    super(name);
    const isInit = name === 'init';
    const isSender = role !== 'receives';
    if (isSender)
      this.option('-v <version>', '1, 2c or 3 (default: 3 with any option of SNMPv3, otherwise 2c)');
    const community = isSender ? communityText : 'accept this community only; without it, all';
    this.option('-c <community>', `${community}${isInit ? '; repeat it to try several' : ''}`)
      .option('-u <user>', `SNMPv3 user name${isInit ? '; repeat it, with -l -a -A -x -X for each' : ''}`)
      .option('-l <level>', 'noAuthNoPriv, authNoPriv or authPriv (default: what the passphrases allow)')
      .option('-a <protocol>', `${listTitles(authProtocols)} (default: MD5)`)
      .option('-A <passphrase>', 'authentication passphrase, or ${env:NAME} to read a variable')
      .option('-x <protocol>', `${listTitles(privProtocols)} (default: DES)`)
      .option('-X <passphrase>', 'privacy passphrase, or ${env:NAME} to read a variable');
    if (isSender)
      this.option('-n <context>', 'SNMPv3 context name')
        .option('-t <seconds>', 'timeout of one attempt (default: 1)')
        .option('-r <retries>', 'attempts after the first one (default: 5)');
    if (role !== 'asks') return;
    this.option('-C <word>', 'rN: N repetitions, nN: N non-repeaters', collect);
    if (isInit) return;
    this.option('--config <file>', 'configuration with the devices (default: waywiser.yml, when it exists)');
  }

  /** Collects the letters of credentials in their order, which the options of commander do not keep. */
  collectCandidates(): TypedLetters {
    const letters: (readonly [CandidateLetter, string])[] = [];
    this.option('--community <community>', 'the same as -c');
    this.on('option:community', (value) => letters.push(['c', value]));
    for (const letter of candidateLetters)
      this.on(`option:${letter}`, (value) => letters.push([letter, value]));
    return letters;
  }

  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    return super.parseOptions(joinRepetitions(args));
  }
}

/** Adds a command whose errors do not repeat what was typed. */
export function addTo(program: Command, command: RequestCommand): RequestCommand {
  command.copyInheritedSettings(program).configureOutput({
    outputError: (text, write) => write(withoutValues(text)),
  });
  program.addCommand(command);
  return command;
}

/** An unknown option is printed without the text attached to it: `-Psecret` may be a typo of `-Asecret`. */
function withoutValues(text: string): string {
  return text.replace(/(unknown option '(?:--[\w-]*|-.)).*'/s, "$1'");
}
