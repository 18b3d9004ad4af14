/** A server-sent event, as in the stream. */
export interface ParsedEvent {
  readonly id: string;
  /** When it happened (ISO 8601), where the stream says it. */
  readonly time: string | undefined;
  /** Which member of a cluster emitted it, where the stream says it. */
  readonly member: string | undefined;
  readonly name: string;
  readonly data: string;
}

/** Splits a stream of server-sent events into events, independent of the boundaries of its chunks. */
export class EventParser {
  /** How long to wait before reconnecting, if the server has sent a value. */
  retryMs: number | undefined = undefined;
  #rest = '';
  #id = '';
  #name = '';
  #time: string | undefined = undefined;
  #member: string | undefined = undefined;
  #data: string[] = [];

  /** Returns the events that end within `chunk`. */
  push(chunk: string): ParsedEvent[] {
    const text = this.#rest + chunk;
    // A chunk may end inside a line break: a carriage return at the end waits for the next chunk.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\n|\r/);
    this.#rest = lines.pop()! + text.slice(whole.length);
    return lines.flatMap((line) => this.#read(line) ?? []);
  }

  #read(line: string): ParsedEvent | undefined {
    if (line === '') return this.#finish();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') this.#id = value;
    else if (field === 'event') this.#name = value;
    else if (field === 'time') this.#time = value;
    else if (field === 'member') this.#member = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  #finish(): ParsedEvent | undefined {
    const [name, time, member, data] = [this.#name, this.#time, this.#member, this.#data];
    this.#name = '';
    this.#time = undefined;
    this.#member = undefined;
    this.#data = [];
    return data.length === 0 ? undefined : { id: this.#id, time, member, name, data: data.join('\n') };
  }
}
