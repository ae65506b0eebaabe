/**
 * Changes whenever tools, system prompt or the meaning of the harness's own notes change. A transcript begun under another version is
 * handed over to a new conversation instead of being continued.
 */
export const HARNESS_VERSION = '2'
