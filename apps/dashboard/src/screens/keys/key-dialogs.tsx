import {
  type CreateKeyRequest,
  type DashboardKey,
  DEFAULT_SCOPES,
  KeyScope,
  type RotateKeyRequest,
  SCOPES,
  toScopes,
} from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createKey, keysQuery, revokeKey, rotateKey } from '../../api/keys.ts'
import { ConfirmDialog } from '../../components/confirm.tsx'
import { Checkbox, Field, Select, TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { useProject } from '../../shell/use-project.ts'

const GRACES = [
  { value: '0', label: 'Revoke now' },
  { value: '900', label: 'Keep valid for 15 minutes' },
  { value: '3600', label: 'Keep valid for 1 hour' },
  { value: '21600', label: 'Keep valid for 6 hours' },
  { value: '86400', label: 'Keep valid for 24 hours' },
] as const

const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '60', label: '60 days' },
  { value: '90', label: '90 days' },
  { value: 'never', label: 'No expiration' },
]

/** Creates a key and shows it once. */
export function CreateKeyDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [scopes, setScopes] = useState<CreateKeyRequest['scopes']>([...DEFAULT_SCOPES])
  const scopesOfRole = toScopes(useProject()?.role ?? 'viewer')
  const [lifetime, setLifetime] = useState('90')
  const create = useAction({
    mutationFn: (body: CreateKeyRequest) => createKey(projectId, body),
    // The secret is kept only while this dialog is open.
    gcTime: 0,
    refetch: [keysQuery(projectId)],
  })
  if (create.data) {
    return <SecretDialog title="Copy your new key" label="New key" secret={create.data.secret} onClose={onClose} />
  }
  return (
    <FormDialog
      title="Create key"
      action="Create key"
      busy={create.isPending}
      error={create.error}
      disabled={scopes.length === 0}
      onClose={onClose}
      onSubmit={(read) =>
        create.mutate({
          name: read('name'),
          scopes,
          expiresInDays: toLifetime(lifetime),
          allowedCidrs: read('allowedCidrs')
            .split(/[\s,]+/)
            .filter(Boolean),
        })
      }
    >
      <Field
        label="Name"
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        placeholder="Continuous integration"
        hint="A name that helps you recognize the key later."
      />
      <fieldset className="stack gap-1">
        <legend>Scopes</legend>
        {scopesOfRole.map((scope) => (
          <Checkbox
            key={scope}
            label={
              <>
                <code>{scope}</code> <span className="muted">{SCOPES[scope].text}</span>
              </>
            }
            checked={scopes.includes(scope)}
            onChecked={(isOn) =>
              setScopes(KeyScope.options.filter((one) => (one === scope ? isOn : scopes.includes(one))))
            }
          />
        ))}
      </fieldset>
      <Select label="Expiration" options={LIFETIMES} value={lifetime} onValue={setLifetime} />
      <TextArea
        label="Allowed IP addresses"
        name="allowedCidrs"
        rows={2}
        spellCheck={false}
        placeholder="203.0.113.0/24"
        hint="Optional. IP addresses or ranges, separated by spaces or commas. They cannot be changed later."
      />
    </FormDialog>
  )
}

function toLifetime(value: string): CreateKeyRequest['expiresInDays'] {
  if (value === '7') return 7
  if (value === '30') return 30
  if (value === '60') return 60
  return value === '90' ? 90 : null
}

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
  const [grace, setGrace] = useState('86400')
  const rotate = useAction({
    mutationFn: (body: RotateKeyRequest) => rotateKey(projectId, apiKey.id, body),
    // The secret is kept only while this dialog is open.
    gcTime: 0,
    refetch: [keysQuery(projectId)],
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
