import type { DashboardKey, RotateKeyRequest } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery, rotateKey } from '../../api/keys.ts'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { Select } from '../../components/select.tsx'

const GRACES = [
  { value: '0', label: 'Revoke now' },
  { value: '900', label: 'Keep valid for 15 minutes' },
  { value: '3600', label: 'Keep valid for 1 hour' },
  { value: '21600', label: 'Keep valid for 6 hours' },
  { value: '86400', label: 'Keep valid for 24 hours' },
] as const

interface RotateKeyDialogProps {
  readonly projectId: string
  readonly apiKey: DashboardKey
  readonly onClose: () => void
}

/**
 * Replaces a key with a new one. The old key can stay valid for a grace period, to avoid an
 * outage.
 */
export function RotateKeyDialog({ projectId, apiKey, onClose }: RotateKeyDialogProps) {
  const queryClient = useQueryClient()
  const [grace, setGrace] = useState('86400')
  const rotate = useAction({
    mutationFn: (body: RotateKeyRequest) => rotateKey(projectId, apiKey.id, body),
    // The secret is kept only while this dialog is open.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery(projectId).queryKey }),
  })
  if (rotate.data) {
    return <SecretDialog title="Copy your new key" label="New key" secret={rotate.data.secret} onClose={onClose} />
  }
  return (
    <FormDialog
      title={`Rotate “${apiKey.name}”`}
      description="The new key has the same name, scopes, allowed IP addresses and lifetime."
      action="Rotate"
      busy={rotate.isPending}
      error={rotate.error}
      onClose={onClose}
      onSubmit={() => rotate.mutate({ graceSeconds: toGrace(grace) })}
    >
      <Select label="Old key" options={GRACES} value={grace} onValue={setGrace} />
    </FormDialog>
  )
}

function toGrace(value: string): RotateKeyRequest['graceSeconds'] {
  if (value === '0') return 0
  if (value === '900') return 900
  if (value === '3600') return 3_600
  return value === '21600' ? 21_600 : 86_400
}
