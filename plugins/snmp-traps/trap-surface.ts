import type { HttpRoutes } from '../http-routes/service.ts';
import type { AllowedSenders } from './senders/allowed-senders.ts';
import { describeUsers } from './senders/trap-user.ts';
import type { Taking } from './start-intake.ts';
import type { TrapReport } from './trap-report.ts';
import { trapRoutes } from './trap-routes.ts';

interface SurfaceParts extends Pick<Taking, 'intake' | 'aiming' | 'forwarding'> {
  readonly report: TrapReport;
  readonly senders: AllowedSenders;
}

/** What people and other programs see of notifications. */
export function addTrapSurface(
  routes: HttpRoutes,
  { intake, aiming, forwarding, report, senders }: SurfaceParts,
): void {
  routes.add(
    trapRoutes({
      log: intake.log,
      report,
      aimed: aiming.aimed,
      forwarded: forwarding.counts,
      listUsers: () => describeUsers(senders.users),
    }),
  );
  routes.addMetrics(() => [
    ...report.metrics(),
    {
      name: 'waywiser_trap_forwards_total',
      help: 'Copies of notifications for other receivers, by outcome.',
      type: 'counter',
      samples: Object.entries(forwarding.counts).map(([outcome, value]) => ({
        labels: { outcome },
        value,
      })),
    },
  ]);
}
