/** Name of the BullMQ queue that wakes workers. */
export const RUN_QUEUE = 'corrigenda-runs'

/** Name of the queue entries. They contain no data, because Postgres determines the next run. */
export const WAKE_UP = 'wake-up'
