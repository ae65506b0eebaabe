import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'
import { useAction } from '../api/use-action.ts'
import { forgetDrafts } from './draft-store.ts'

/** Returns the action that signs the user out and removes their drafts from this browser. */
export function useSignOut() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useAction({
    mutationFn: signOut,
    onSuccess: async () => {
      forgetDrafts()
      queryClient.clear()
      await navigate({ to: '/sign-in' })
    },
  })
}
