/** A server-sent event as it stands in the stream. */
export interface ParsedEvent {
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/** Cuts a stream of server-sent events, however it is cut into chunks. */
export class EventParser {
  /** How long to wait before coming back, where the server has said so. */
  retryMs: number | undefined = undefined;
  #rest = '';
  #id = '';
  #name = '';
  #data: string[] = [];

  /** The events that end within `chunk`. */
  push(chunk: string): ParsedEvent[] {
    const text = this.#rest + chunk;
    // A line break may be cut in two: the last carriage return waits for what follows.
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
    else if (field === 'data') this.#data.push(value);
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  #finish(): ParsedEvent | undefined {
    const [name, data] = [this.#name, this.#data];
    this.#name = '';
    this.#data = [];
    return data.length === 0 ? undefined : { id: this.#id, name, data: data.join('\n') };
  }
}
