import type { DashboardKey } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { keysQuery, revokeKey } from '../../api/keys.ts'
import { useAction } from '../../api/use-action.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useToast } from '../../components/toast.tsx'

interface RevokeKeyDialogProps {
  readonly projectId: string
  readonly apiKey: DashboardKey
  readonly onClose: () => void
}

export function RevokeKeyDialog({ projectId, apiKey, onClose }: RevokeKeyDialogProps) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const revoke = useAction({
    mutationFn: () => revokeKey(projectId, apiKey.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery(projectId).queryKey })
      toast(`Key “${apiKey.name}” revoked.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      Requests with this key will fail immediately. This cannot be undone.
    </ConfirmDialog>
  )
}
