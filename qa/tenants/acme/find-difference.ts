/**
 * Returns where two plain values differ, with both values there, or null if they are equal. Only the
 * first difference is described.
 */
export function findDifference(expected: unknown, actual: unknown, path = ''): string | null {
  if (Object.is(expected, actual)) return null
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return `${path || 'value'}: expected ${show(expected)}, not ${show(actual)}`
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = findDifference(expected[name], actual[name], path === '' ? name : `${path}.${name}`)
    if (found !== null) return found
  }
  return null
}

const show = (value: unknown): string => String(JSON.stringify(value)).slice(0, 400)
