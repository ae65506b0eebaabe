/** Stored answers of idempotent requests are kept this long, in hours. */
export const IDEMPOTENCY_HOURS = 24
