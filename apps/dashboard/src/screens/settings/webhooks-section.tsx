import { MAX_WEBHOOKS, WebhookEventType } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { createWebhook, webhooksQuery } from '../../api/webhooks.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { useProjectId } from '../../shell/use-project.ts'
import { SecretOnce } from './secret-once.tsx'
import { WebhookRow } from './webhook-row.tsx'

/** The project's webhook endpoints. */
export function WebhooksSection() {
  const projectId = useProjectId()
  const [creates, setCreates] = useState(false)
  const { data, error, isPending, refetch } = useQuery(webhooksQuery(projectId))
  return (
    <Block
      title="Webhooks"
      id="webhooks"
      description="Sends job, pull request and deployment events to your endpoints, signed as specified by Standard Webhooks."
      actions={
        <Button icon="plus" disabled={(data?.length ?? 0) >= MAX_WEBHOOKS} onClick={() => setCreates(true)}>
          Add webhook
        </Button>
      }
    >
      {error ? (
        <div className="block-body">
          <ErrorNote error={error} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {isPending ? (
        <div className="block-body">
          <Loading />
        </div>
      ) : null}
      {data === undefined ? null : data.length === 0 ? (
        <p className="block-note muted">No webhooks yet. Add one to receive events instead of polling.</p>
      ) : (
        <ul className="stack gap-0">
          {data.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      {creates ? <WebhookDialog onClose={() => setCreates(false)} /> : null}
    </Block>
  )
}

/** Creates a webhook and shows its signing secret once. */
function WebhookDialog({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId()
  const queryClient = useQueryClient()
  const [events, setEvents] = useState<readonly WebhookEventType[]>([])
  const create = useAction({
    mutationFn: (body: Parameters<typeof createWebhook>[1]) => createWebhook(projectId, body),
    onSuccess: () => queryClient.invalidateQueries(webhooksQuery(projectId)),
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
      <Field label="URL" name="url" type="url" required maxLength={2000} hint="An https:// URL on a public host." />
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
