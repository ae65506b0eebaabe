import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/**
 * A mutation of which one runs at a time: what is asked for meanwhile is left out. A button is switched off only when the page is drawn anew, and the
 * second click of a double click may come before that: without this it makes a second job.
 */
export function useAction<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const isRunning = useRef(false)
  const { onSettled } = options
  const mutation = useMutation({
    ...options,
    onSettled: (...settled) => {
      isRunning.current = false
      return onSettled?.(...settled)
    },
  })
  const { mutate } = mutation
  const once = useCallback<typeof mutate>(
    (...given) => {
      if (isRunning.current) return
      isRunning.current = true
      mutate(...given)
    },
    [mutate],
  )
  return { ...mutation, mutate: once }
}
