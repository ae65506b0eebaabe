import { DEFAULT_SCOPES } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { createKey, keysQuery } from '../../api/keys.ts'
import { setupProgressQuery } from '../../api/ops.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { useAction } from '../../components/use-action.ts'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { Step } from './step.tsx'

/** The step that creates an API key for the backend. */
export function KeyStep({ hasKey, isNext }: { hasKey: boolean; isNext: boolean }) {
  const projectId = useProjectId()
  const mayCreate = useHasRole('member')
  const [name, setName] = useState('')
  const create = useAction({
    mutationFn: () =>
      createKey(projectId, {
        name: name.trim(),
        scopes: [...DEFAULT_SCOPES],
        expiresInDays: 90,
        allowedCidrs: [],
      }),
    onSuccess: () => {
      setName('')
    },
    refetch: [setupProgressQuery(projectId), keysQuery(projectId)],
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const badge = hasKey
    ? ({ word: 'Created', icon: 'check', tone: 'ok' } as const)
    : ({ word: 'Not created', icon: 'ring', tone: 'muted' } as const)
  return (
    <>
      <Step id="key" title="Create an API key" badge={badge} isNext={isNext}>
        <p>
          Your backend sends the key with every request. The key can manage jobs and webhooks, and expires in 90 days.
          To choose other scopes, go to{' '}
          <Link to="/projects/$projectId/keys" params={{ projectId }}>
            API keys
          </Link>
          .
        </p>
        {mayCreate ? (
          <form className="block-form" onSubmit={submit}>
            <Field
              label="Name"
              required
              maxLength={100}
              placeholder="my-backend"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            {create.error ? <ErrorNote error={create.error} /> : null}
            <div>
              <Button type="submit" variant={hasKey ? 'plain' : 'primary'} busy={create.isPending}>
                Create key
              </Button>
            </div>
          </form>
        ) : null}
      </Step>
      {/* The dialog is outside the step, because the step closes once a key exists. */}
      {create.data ? (
        <SecretDialog
          title="Copy your new key"
          label="API key"
          secret={create.data.secret}
          onClose={() => create.reset()}
        />
      ) : null}
    </>
  )
}
