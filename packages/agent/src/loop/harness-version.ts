/**
 * Version of the harness. It changes whenever the tools, the system prompt or the meaning of the
 * harness's notes change. A run whose transcript has another version continues in a new
 * conversation.
 */
export const HARNESS_VERSION = '3'
