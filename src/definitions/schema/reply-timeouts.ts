import { Type } from '../../typebox.ts';

/** How long to wait for replies: of a device, and of each address of a network. */
export const replyTimeouts = {
  timeout: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600_000,
      default: 3000,
      description: 'Milliseconds to wait for a reply.',
    }),
  ),
  retries: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 2,
      description: 'How often a request without a reply is sent again.',
    }),
  ),
  exponential_timeout: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether the timeout doubles at each retry.' }),
  ),
};
