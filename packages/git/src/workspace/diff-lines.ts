/**
 * A hunk of a line diff, which replaces the `before` lines [beforeStart, beforeEnd) with the
 * `after` lines [afterStart, afterEnd). Both ranges are 0-based.
 */
export interface Hunk {
  readonly beforeStart: number
  readonly beforeEnd: number
  readonly afterStart: number
  readonly afterEnd: number
}

/**
 * Maximum edit distance to compute. Above it, the middle of the file is treated as rewritten.
 * Limits the work to a few million steps.
 */
const MAX_DISTANCE = 1_500

/**
 * Returns the hunks that convert `before` to `after`, in ascending order. Applies Myers' greedy
 * algorithm to the lines between the common head and tail.
 */
export function diffLines(before: readonly string[], after: readonly string[]): Hunk[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  const limit = Math.min(before.length, after.length) - head
  while (tail < limit && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  const a = before.slice(head, before.length - tail)
  const b = after.slice(head, after.length - tail)
  if (a.length === 0 && b.length === 0) return []
  const whole = { beforeStart: head, beforeEnd: head + a.length, afterStart: head, afterEnd: head + b.length }
  if (a.length === 0 || b.length === 0) return [whole]
  const path = findPath(a, b)
  return path === null ? [whole] : toHunks(path, head)
}

/** Counts the lines that a change adds and removes. A missing file has no lines. */
export function countChangedLines(before: readonly string[], after: readonly string[]) {
  let added = 0
  let removed = 0
  for (const hunk of diffLines(before, after)) {
    added += hunk.afterEnd - hunk.afterStart
    removed += hunk.beforeEnd - hunk.beforeStart
  }
  return { added, removed }
}

type Point = readonly [x: number, y: number]

/**
 * Finds the corners of a shortest edit path from (0,0) to (a.length, b.length). Returns null if it
 * is longer than MAX_DISTANCE.
 */
function findPath(a: readonly string[], b: readonly string[]): Point[] | null {
  const max = Math.min(a.length + b.length, MAX_DISTANCE)
  const frontier = new Int32Array(2 * max + 3)
  const middle = max + 1
  const trace: Int32Array[] = []
  for (let d = 0; d <= max; d += 1) {
    trace.push(frontier.slice(middle - d - 1, middle + d + 2))
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(frontier, middle + k - 1) < at(frontier, middle + k + 1))
      let x = down ? at(frontier, middle + k + 1) : at(frontier, middle + k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1
      frontier[middle + k] = x
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a.length, b.length)
    }
  }
  return null
}

function walkBack(trace: readonly Int32Array[], endX: number, endY: number): Point[] {
  const path: Point[] = [[endX, endY]]
  let x = endX
  let y = endY
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const row = trace[d] ?? new Int32Array(0)
    const frontier = (k: number) => at(row, k + d + 1)
    const k = x - y
    const down = k === -d || (k !== d && frontier(k - 1) < frontier(k + 1))
    const previousK = down ? k + 1 : k - 1
    const previousX = d === 0 ? 0 : frontier(previousK)
    const previousY = d === 0 ? 0 : previousX - previousK
    while (x > previousX && y > previousY) {
      x -= 1
      y -= 1
      path.push([x, y])
    }
    if (d > 0) path.push([previousX, previousY])
    x = previousX
    y = previousY
  }
  return path.reverse()
}

function toHunks(path: readonly Point[], head: number): Hunk[] {
  const hunks: Hunk[] = []
  let open: { beforeStart: number; afterStart: number } | null = null
  const close = ([x, y]: Point) => {
    if (open !== null) {
      hunks.push({
        beforeStart: open.beforeStart + head,
        beforeEnd: x + head,
        afterStart: open.afterStart + head,
        afterEnd: y + head,
      })
    }
    open = null
  }
  let previous: Point = [0, 0]
  for (const point of path) {
    const [dx, dy] = [point[0] - previous[0], point[1] - previous[1]]
    if (dx === 1 && dy === 1) close(previous)
    else if (dx + dy === 1) open ??= { beforeStart: previous[0], afterStart: previous[1] }
    previous = point
  }
  close(previous)
  return hunks
}

function at(values: Int32Array, index: number): number {
  return values[index] ?? 0
}
