/**
 * Request features that an endpoint other than the latest Messages API may reject, with the setting
 * that disables each one.
 */
const SWITCHES: readonly (readonly [RegExp, string])[] = [
  [/cache_control|prompt caching/i, 'MODEL_CACHING=off'],
  [/\bstrict\b/i, 'MODEL_STRICT=off'],
  [/\bthinking\b/i, 'MODEL_THINKING=omit'],
  [/\beffort\b|output_config/i, 'MODEL_EFFORT= (empty)'],
  [/tool_choice|disable_parallel_tool_use/i, 'MODEL_PARALLEL_CALLS=8'],
  [/max_(completion_)?tokens/i, "MODEL_MAX_OUTPUT_TOKENS to the model's output limit"],
  [/anthropic[-_]version/i, 'ANTHROPIC_VERSION to a version that it supports'],
  [/^(?=.*x-api-key)(?=.*(?:required|missing))/is, 'MODEL_AUTH=x-api-key'],
  [/^(?=.*(?:authorization|bearer))(?=.*(?:required|missing))/is, 'MODEL_AUTH=bearer'],
]

/** Returns the setting that avoids the endpoint's error, or null if no setting does. */
export function findSwitch(message: string): string | null {
  return SWITCHES.find(([pattern]) => pattern.test(message))?.[1] ?? null
}
