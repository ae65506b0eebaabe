import { MAX_WEBHOOKS } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { webhooksQuery } from '../../api/webhooks.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { useProjectId } from '../../shell/use-project.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
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
