import { type FaultRow, failsWith, OUTAGE } from './fault-row.ts'
import { RETRY_RUN, WHEN_API_IS_BACK } from './reactions.ts'

/** Faults when no server listens at the model API URL. */
export const UNREACHABLE_ROWS: readonly FaultRow[] = [
  {
    id: 'model-refused',
    title: 'the API refuses the connection',
    reaction: RETRY_RUN,
    advice: WHEN_API_IS_BACK,
    turns: [],
    expect: failsWith('model_unavailable', { waits: OUTAGE, message: /unreachable/ }),
  },
]
