import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'

/** Number of frames without a correction after which a jump is complete. */
const STILL_FRAMES = 3
const MAX_FRAMES = 90
const SCROLL_KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' '])

interface DiffScroll {
  /** Calls `onDone` when the row is in place. */
  /** @param readGap returns the space above the row in px, which depends on what is rendered */
  scrollToRow(index: number, readGap: () => number, onDone?: () => void): void
  /** Index of the row of the last jump, or null if the page was scrolled since. */
  findJump(): number | null
}

/**
 * Scrolls the window to rows whose heights are estimates until they are shown. Each jump is
 * corrected until its row is in place, unless the user scrolls. The end of the page stays in view
 * while the rows there are measured.
 * @param find returns the element of a row, if it is rendered
 */
export function useDiffScroll(
  virtualizer: Virtualizer<Window, Element>,
  list: RefObject<HTMLElement | null>,
  find: (index: number) => Element | null,
): DiffScroll {
  const frame = useRef(0)
  const jump = useRef<{ readonly index: number; top: number } | null>(null)
  const stop = useCallback(() => cancelAnimationFrame(frame.current), [])
  const correct = useCallback(
    (move: () => void, onDone?: () => void) => {
      stop()
      let still = 0
      let frames = 0
      const step = () => {
        const before = window.scrollY
        move()
        still = Math.abs(window.scrollY - before) < 0.5 ? still + 1 : 0
        frames += 1
        if (jump.current) jump.current.top = window.scrollY
        if (still < STILL_FRAMES && frames < MAX_FRAMES) frame.current = requestAnimationFrame(step)
        else onDone?.()
      }
      step()
    },
    [stop],
  )
  const scrollToRow = useCallback(
    (index: number, readGap: () => number, onDone?: () => void) => {
      jump.current = { index, top: window.scrollY }
      correct(() => {
        const element = find(index)
        const gap = readGap()
        // Reading the size updates the measurements.
        virtualizer.getTotalSize()
        const start = virtualizer.measurementsCache[index]?.start ?? 0
        const off = element ? element.getBoundingClientRect().top - gap : start - gap - window.scrollY
        if (Math.abs(off) >= 0.5) window.scrollBy({ top: off, behavior: 'instant' })
      }, onDone)
    },
    [correct, find, virtualizer],
  )

  const isAtEnd = useRef(false)
  const scrollToEnd = useCallback(() => {
    jump.current = null
    correct(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
  }, [correct])
  useEffect(() => {
    const onScroll = () => {
      const { scrollHeight } = document.documentElement
      isAtEnd.current = window.scrollY + window.innerHeight >= scrollHeight - 2
    }
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (target instanceof HTMLElement && target.closest('input, textarea, select, [role="dialog"], [role="menu"]'))
        return
      // A shortcut may have started a jump in this event, so other keys do not end it.
      if (SCROLL_KEYS.has(event.key)) stop()
      // The browser would scroll to the end as it is estimated now.
      if (event.key !== 'End' || event.shiftKey || event.altKey) return
      event.preventDefault()
      scrollToEnd()
    }
    const gestures = ['wheel', 'touchstart', 'pointerdown'] as const
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('keydown', onKey)
    for (const name of gestures) window.addEventListener(name, stop, { passive: true })
    return () => {
      stop()
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('keydown', onKey)
      for (const name of gestures) window.removeEventListener(name, stop)
    }
  }, [stop, scrollToEnd])
  const { count } = virtualizer.options
  const size = virtualizer.getTotalSize()
  const known = useRef({ count, size })
  useLayoutEffect(() => {
    const isMeasured = known.current.count === count && known.current.size !== size
    known.current = { count, size }
    // Rows that the user opened or closed do not move the page.
    if (isMeasured && isAtEnd.current && list.current) scrollToEnd()
  }, [count, size, list, scrollToEnd])
  const findJump = () => (jump.current && Math.abs(jump.current.top - window.scrollY) < 4 ? jump.current.index : null)
  return { scrollToRow, findJump }
}
