import { type CreateKeyRequest, DEFAULT_SCOPES, KeyScope, SCOPES, toScopes } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createKey, keysQuery } from '../../api/keys.ts'
import { useAction } from '../../api/use-action.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { Select } from '../../components/select.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { useProject } from '../../shell/use-project.ts'

const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '60', label: '60 days' },
  { value: '90', label: '90 days' },
  { value: 'never', label: 'No expiration' },
]

/** Creates a key and shows it once. */
export function CreateKeyDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [scopes, setScopes] = useState<CreateKeyRequest['scopes']>([...DEFAULT_SCOPES])
  const scopesOfRole = toScopes(useProject()?.role ?? 'viewer')
  const [lifetime, setLifetime] = useState('90')
  const create = useAction({
    mutationFn: (body: CreateKeyRequest) => createKey(projectId, body),
    // The secret is kept only while this dialog is open.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery(projectId).queryKey }),
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
