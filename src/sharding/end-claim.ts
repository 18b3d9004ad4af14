import type { Clock } from '../timing/clock.ts';
import type { Coordinator } from './coordinator.ts';
import { limits } from './owner-settings.ts';

/** Ends the claim on a shard. Repeats it while `isOurs`: later, the claim has ended with its lease. Never rejects. */
export async function endClaim(
  coordinator: Pick<Coordinator, 'release'>,
  claim: { readonly shard: number; readonly epoch: number },
  { clock, isOurs, onFailure }: { clock: Clock; isOurs(): boolean; onFailure(error: unknown): void },
): Promise<void> {
  while (isOurs()) {
    try {
      await coordinator.release(claim.shard, claim.epoch);
      return;
    } catch (error) {
      onFailure(error);
      await new Promise<void>((resolve) => void clock.setTimer(resolve, limits.retryMs));
    }
  }
}
