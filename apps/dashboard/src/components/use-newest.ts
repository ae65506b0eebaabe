import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Returns a reference to the value, to which the component can assign the next one. The router changes
 * the search of the page later, so that a second change would be based on the old value.
 */
export function useNewest<T>(value: T): RefObject<T> {
  const newest = useRef(value)
  useLayoutEffect(() => {
    newest.current = value
  }, [value])
  return newest
}
