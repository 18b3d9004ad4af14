import type { Flight } from './flight.ts';

/** Places at the head that may be empty: moving the rest for each flight that leaves would cost more. */
const maxEmpty = 1_024;

/** Flights in the order of arrival. Its memory stays close to the number of waiting flights, even if it never becomes empty. */
export class FlightQueue {
  #flights: Flight[] = [];
  #head = 0;

  get size(): number {
    return this.#flights.length - this.#head;
  }

  /** The places it holds in memory: the waiting flights, and empty places in front of them. */
  get places(): number {
    return this.#flights.length;
  }

  push(flight: Flight): void {
    this.#flights.push(flight);
  }

  shift(): Flight | undefined {
    const flight = this.#flights[this.#head];
    if (flight === undefined) return undefined;
    this.#head++;
    const isHalfEmpty = this.#head > maxEmpty && 2 * this.#head > this.#flights.length;
    if (isHalfEmpty || this.size === 0) {
      this.#flights = this.#flights.slice(this.#head);
      this.#head = 0;
    }
    return flight;
  }

  delete(flight: Flight): void {
    const at = this.#flights.indexOf(flight, this.#head);
    if (at >= 0) this.#flights.splice(at, 1);
  }

  toArray(): Flight[] {
    return this.#flights.slice(this.#head);
  }
}
