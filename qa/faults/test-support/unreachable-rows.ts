import { type FaultRow, failsWith, OUTAGE } from './fault-row.ts'

/** Rows with an address of the model API that has no listener. */
export const UNREACHABLE_ROWS: readonly FaultRow[] = [
  {
    id: 'model-refused',
    title: 'connection refused',
    turns: [],
    expect: failsWith('model_unavailable', { waits: OUTAGE, message: /unreachable/ }),
  },
]
