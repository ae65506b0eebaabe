/** Name of the BullMQ queue that wakes workers. */
export const RUN_QUEUE = 'corrigenda-runs'

/** Name of its entries. They carry no data: Postgres decides which run is next. */
export const WAKE_UP = 'wake-up'
