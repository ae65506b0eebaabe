import { WebhookEventType } from '@corrigenda/contracts'
import { useState } from 'react'
import { createWebhook, webhooksQuery } from '../../api/webhooks.ts'
import { Checkbox, Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useAction } from '../../components/use-action.ts'
import { useProjectId } from '../../shell/use-project.ts'
import { SecretOnce } from './secret-once.tsx'

/** Creates a webhook and shows its signing secret once. */
export function WebhookDialog({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId()
  const [events, setEvents] = useState<readonly WebhookEventType[]>([])
  const create = useAction({
    mutationFn: (body: Parameters<typeof createWebhook>[1]) => createWebhook(projectId, body),
    refetch: [webhooksQuery(projectId)],
    gcTime: 0,
  })
  if (create.data) return <SecretOnce title="Webhook added" secret={create.data.secret} onClose={onClose} />
  return (
    <FormDialog
      title="Add webhook"
      action="Add webhook"
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(read) => create.mutate({ url: read('url').trim(), description: read('description'), events })}
    >
      <Field
        label="URL"
        name="url"
        type="url"
        required
        maxLength={2000}
        hint="An https:// URL on a public host, or an address that the operator allows."
      />
      <Field label="Description" name="description" maxLength={200} />
      <fieldset className="settings-events">
        <legend>Events (leave all unchecked to receive every event, including future types)</legend>
        {WebhookEventType.options.map((type) => (
          <Checkbox
            key={type}
            label={<code>{type}</code>}
            checked={events.includes(type)}
            onChecked={(isOn) => setEvents((all) => (isOn ? [...all, type] : all.filter((one) => one !== type)))}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
