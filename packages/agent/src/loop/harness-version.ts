/**
 * Version of the harness. It changes whenever the tools, the system prompt or the meaning of the
 * harness's notes change. A transcript of another version continues in a new conversation
 * instead of being continued.
 */
export const HARNESS_VERSION = '3'
