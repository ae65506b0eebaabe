/** Retention period for stored responses to idempotent requests, in hours. */
export const IDEMPOTENCY_HOURS = 24
