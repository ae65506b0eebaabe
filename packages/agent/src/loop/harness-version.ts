/**
 * Harness version. Increase it whenever the tools, the system prompt or the meaning of the
 * harness's notes change. A run whose transcript has a different version continues in a new
 * conversation.
 */
export const HARNESS_VERSION = '6'
