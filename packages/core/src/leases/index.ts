export {
  type Clocks,
  elapsedSince,
  type HeldLease,
  type HoldDeps,
  holdLease,
  readClocks,
  ShutdownError,
} from './hold-lease.ts'
export { type Polling, pollUntilStopped } from './poll-until-stopped.ts'
