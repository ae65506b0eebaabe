/** For polls: as long as a busy machine may take. */
export const PATIENT = { timeout: 20_000 }
