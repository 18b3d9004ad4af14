import type { Command } from 'commander';
import { addTo, mibsText, RequestCommand } from '../snmp/request-command.ts';
import { collect } from '../terminal/repeated-option.ts';

type Exit = (outcome: Promise<number>) => Promise<void>;

/** Adds the commands about traps and informs. The code of each is loaded when it runs. */
export function registerTrapCommands(program: Command, exitWith: Exit): void {
  const trap = program.command('trap').description('receive, send and decode traps and informs');

  addTo(trap, new RequestCommand('listen', 'receives'))
    .description('print the traps and informs that come; informs are answered')
    .option('--port <port>', 'the port to listen on; 162 needs rights of its own', '1162')
    .option('--address <address>', 'the address to listen on (default: 0.0.0.0); repeat it', collect)
    .option('--count <count>', 'end after so many')
    .option('--mibs <directory>', mibsText, collect)
    .option('--json', 'print one JSON document per notification')
    .action(async (options) =>
      exitWith((await import('./listen.ts')).listen({ ...options, address: options.address ?? ['0.0.0.0'] })),
    );

  addTo(trap, new RequestCommand('send', 'sends'))
    .description('send a trap or an inform')
    .argument('<target>', 'HOST, HOST:PORT or [IPV6]:PORT; the default port is 162')
    .argument('<name>', 'the notification: its name, such as linkDown, or its OID')
    .argument('[varbinds...]', 'NAME.INSTANCE=VALUE or OID=LETTER:VALUE with a letter of i u c C t a o s x')
    .option('--inform', 'send informs, and wait for their answers')
    .option('--count <count>', 'how many to send', '1')
    .option('--rate <count>', 'at most so many per second')
    .option('--engine-id <hex>', 'the engine that signs SNMPv3 traps (default: a random one)')
    .option('--mibs <directory>', mibsText, collect)
    .action(async (target, name, varbinds, options) =>
      exitWith((await import('./send.ts')).send(target, name, varbinds, options)),
    );

  addTo(trap, new RequestCommand('decode', 'receives'))
    .description('print the notifications of a datagram or a capture, or why they cannot be read')
    .argument('<input>', 'the octets of a datagram in hexadecimal, or a file: .pcap or .pcapng')
    .option(
      '--port <port>',
      'in a capture, the port that the notifications were sent to (default: 162 and 1162)',
    )
    .option('--config <file>', 'print the records that a collector with this configuration makes')
    .option('--mibs <directory>', mibsText, collect)
    .option('--json', 'print one JSON document per notification')
    .action(async (input, options) => exitWith((await import('./decode.ts')).decode(input, options)));
}
