/**
 * Maximum number of tool calls per turn. It is low, because a prompt cache lookup covers only the
 * last 20 blocks.
 */
export const MAX_CALLS = 8
