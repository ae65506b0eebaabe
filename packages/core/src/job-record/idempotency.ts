/** Retention of the stored responses of idempotent requests, in hours. */
export const IDEMPOTENCY_HOURS = 24
