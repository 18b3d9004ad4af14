/** The columns that every table has, in their order, with their types. */
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

/** Tells a row: what comes with the same ones came before. */
export const keyColumns = ['device', 'ip', 'port', 'plan', 'instance', 'slot'] as const;
