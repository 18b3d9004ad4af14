import { Type } from '../../src/index.ts';

export const webPageOptions = Type.Object({
  session: Type.Object(
    {
      idle_minutes: Type.Number({
        exclusiveMinimum: 0,
        maximum: 1440,
        default: 30,
        description:
          'a session ends when its browser sent nothing for this long; an open page asks every few seconds',
      }),
      max_hours: Type.Number({
        exclusiveMinimum: 0,
        maximum: 720,
        default: 12,
        description: 'a session ends after this time, however much it is used',
      }),
    },
    { default: {}, description: 'how long a browser stays signed in' },
  ),
});
