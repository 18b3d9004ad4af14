import { columns, roots } from '../../snmp/load.ts';

const [ifDescr, ifName] = ['1.3.6.1.2.1.2.2.1.2', '1.3.6.1.2.1.31.1.1.1.1'];

/** The two ways to configure snmp_exporter: walk each column, or both tables. The faster one counts. */
export const exporterModules = ['columns', 'tables'] as const;

/** The configuration of snmp_exporter for the columns of our definitions, with the same two labels per row. */
export function renderModules(): string {
  const walks = { columns: [...columns, ifDescr, ifName], tables: roots };
  return exporterModules.map((name) => renderModule(name, walks[name])).join('');
}

function renderModule(name: string, walk: readonly string[]): string {
  const lookups = [
    ['ifDescr', ifDescr],
    ['ifName', ifName],
  ].map(
    ([label, oid]) => `    - { labels: [ifIndex], labelname: ${label}, oid: ${oid}, type: DisplayString }\n`,
  );
  const metrics = columns.map((oid) => {
    const [table, column] = oid
      .split('.')
      .slice(-3)
      .filter((_, i) => i !== 1);
    return `  - name: if_${table}_${column}
    oid: ${oid}
    type: ${isGauge(oid) ? 'gauge' : 'counter'}
    help: ${oid}
    indexes: [{ labelname: ifIndex, type: gauge }]
    lookups:
${lookups.join('')}`;
  });
  return `${name}:
  walk: [${walk.join(', ')}]
  version: 2
  max_repetitions: 50
  timeout: 10s
  auth: { community: public }
  metrics:
${metrics.join('')}`;
}

/** As in the definitions of the collector. */
function isGauge(oid: string): boolean {
  const column = Number(oid.split('.').at(-1));
  return oid.startsWith('1.3.6.1.2.1.31') ? column > 13 : column < 10 || column > 20;
}
