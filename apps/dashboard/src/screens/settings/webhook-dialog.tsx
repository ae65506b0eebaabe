import { WebhookEventType } from '@corrigenda/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createWebhook, webhooksQuery } from '../../api/webhooks.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { useProjectId } from '../../shell/use-project.ts'
import { SecretOnce } from './secret-once.tsx'

const FORM = 'new-webhook'

/** Makes an endpoint, then shows its secret this once. */
export function WebhookDialog({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId()
  const queryClient = useQueryClient()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<readonly WebhookEventType[]>([])
  const create = useMutation({
    mutationFn: () => createWebhook(projectId, { url: url.trim(), description, events }),
    onSuccess: () => queryClient.invalidateQueries(webhooksQuery(projectId)),
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  if (create.data) return <SecretOnce title="Webhook added" secret={create.data.secret} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add webhook"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={FORM} look="primary" busy={create.isPending}>
            Add
          </Button>
        </>
      }
    >
      <form id={FORM} className="stack" onSubmit={submit}>
        <Field
          label="URL"
          type="url"
          required
          maxLength={2000}
          hint="https:// on a public host."
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Field
          label="Description"
          maxLength={200}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <fieldset className="settings-events">
          <legend>Events (none chosen: all, future ones too)</legend>
          {WebhookEventType.options.map((type) => (
            <Checkbox
              key={type}
              label={<code>{type}</code>}
              checked={events.includes(type)}
              onChecked={(isOn) => setEvents((all) => (isOn ? [...all, type] : all.filter((one) => one !== type)))}
            />
          ))}
        </fieldset>
        {create.error ? <ErrorNote error={create.error} /> : null}
      </form>
    </Dialog>
  )
}
