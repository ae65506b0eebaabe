export { type Clocks, elapsedSince, readClocks } from './clocks.ts'
export { type HeldLease, type HoldDeps, holdLease, ShutdownError } from './hold-lease.ts'
export { type Polling, pollUntilStopped } from './poll-until-stopped.ts'
