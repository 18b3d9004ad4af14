import { PermanentError } from '../../../../src/index.ts';

/** The other side has answered that it will never take this body. */
export class Refusal extends PermanentError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}
