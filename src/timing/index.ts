/** For plugins: clocks, timers, paces, slices of long work, histograms. */

export { type Clock, systemClock, WallTime } from './clock.ts';
export { createDurationHistogram, Histogram, type Percentiles, percentilesOf } from './histogram.ts';
export { SendPace, StartPace } from './pace.ts';
export { runInWindow } from './run-in-window.ts';
export { runToEnd, SliceTurns } from './slices.ts';
export { untilAborted } from './until-aborted.ts';
export { Wheel, WheelEntry } from './wheel.ts';
