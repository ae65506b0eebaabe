import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/**
 * Returns a mutation that ignores calls while one is running. A button is disabled only after the
 * next render, so the second click of a double-click can arrive before that. Without this guard, it
 * would create a second job.
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
