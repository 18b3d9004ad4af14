/** The columns of every table, in order, with their types. */
export const fixedColumns = {
  slot: 'timestamptz NOT NULL',
  time: 'timestamptz NOT NULL',
  device: 'text NOT NULL',
  ip: 'text NOT NULL',
  port: 'integer NOT NULL',
  plan: 'text NOT NULL',
  instance: 'text NOT NULL',
  sequence: 'bigint NOT NULL',
  generation: 'bigint NOT NULL',
  tags: 'jsonb NOT NULL',
} as const;

/** The primary key: a row with the same values is a repeated one. */
export const keyColumns = ['device', 'ip', 'port', 'plan', 'instance', 'slot'] as const;
