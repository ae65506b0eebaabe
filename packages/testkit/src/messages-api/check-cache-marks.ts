import { isObject, type JsonObject, refuse } from '@corrigenda/demo/messages-api'
import { refuseExtraKeys } from './json-object.ts'

const maxMarks = 4

/**
 * Checks that the request has at most four cache breakpoints (including the automatic one at the
 * top level), that each is well-formed, and that no `1h` follows a `5m` in prompt order.
 */
export function checkCacheMarks(body: JsonObject): void {
  const marks = [...findMarks(body.tools), ...findMarks(body.system), ...findMarks(body.messages)]
  if (body.cache_control != null) marks.push(body.cache_control)
  if (marks.length > maxMarks) {
    refuse(`A maximum of ${maxMarks} blocks with cache_control may be provided. Found ${marks.length}.`)
  }
  let sawShort = false
  for (const mark of marks) {
    if (!isObject(mark) || mark.type !== 'ephemeral') refuse('cache_control.type: Input should be "ephemeral"')
    refuseExtraKeys(mark, new Set(['type', 'ttl']), 'cache_control')
    if (mark.ttl !== undefined && mark.ttl !== '5m' && mark.ttl !== '1h') {
      refuse('cache_control.ttl: Input should be "5m" or "1h"')
    }
    if (mark.ttl === '1h' && sawShort) {
      refuse('cache_control: a ttl="1h" block must not come after a ttl="5m" block')
    }
    if (mark.ttl !== '1h') sawShort = true
  }
}

/**
 * Finds the cache breakpoints on tools, system blocks, message blocks, and blocks inside tool
 * results. Does not search tool inputs.
 */
function findMarks(list: unknown): unknown[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    if (!isObject(item)) return []
    const own = item.cache_control == null ? [] : [item.cache_control]
    return [...findMarks(item.content), ...own]
  })
}
