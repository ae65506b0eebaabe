import {
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useToast } from './toast.tsx'

interface ActionOptions<Data, Variables> extends UseMutationOptions<Data, Error, Variables> {
  /** Text of the notification after success. */
  readonly done?: string
  /** Queries whose data has changed after success. */
  readonly refetch?: readonly { readonly queryKey: QueryKey }[]
}

/**
 * Returns a mutation that ignores calls while one is running. A button is disabled only after the
 * next render, so the second click of a double-click can arrive before that. Without this guard, it
 * would create a second job. After success, calls `onSuccess`, shows `done`, and fetches `refetch`.
 */
export function useAction<Data, Variables = void>(
  options: ActionOptions<Data, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const isRunning = useRef(false)
  const toast = useToast()
  const queryClient = useQueryClient()
  const { done, refetch = [], onSuccess, onSettled, ...rest } = options
  const mutation = useMutation({
    ...rest,
    onSuccess: async (...succeeded) => {
      await onSuccess?.(...succeeded)
      if (done !== undefined) toast(done)
      await Promise.all(refetch.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
    },
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
