import type { WebhookDelivery } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useAction } from '../../api/use-action.ts'
import { deliveriesQuery, redeliver } from '../../api/webhooks.ts'
import { Badge, type BadgeProps } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Table } from '../../components/table.tsx'
import { useProjectId } from '../../shell/use-project.ts'

const BADGES: Readonly<Record<WebhookDelivery['status'], Omit<BadgeProps, 'children'> & { word: string }>> = {
  pending: { word: 'Pending', icon: 'ring', tone: 'muted' },
  delivered: { word: 'Delivered', icon: 'check', tone: 'ok' },
  failed: { word: 'Failed', icon: 'failed', tone: 'bad' },
}

const COLUMNS = ['Status', 'Event', 'Response', 'Attempts', 'Created'].map((title) => ({ title }))

/** An endpoint's recent deliveries, with its responses. */
export function DeliveryLog({ webhookId, isDisabled }: { webhookId: string; isDisabled: boolean }) {
  const projectId = useProjectId()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(deliveriesQuery(projectId, webhookId))
  const again = useAction({
    mutationFn: (deliveryId: string) => redeliver(projectId, webhookId, deliveryId),
    onSuccess: () => queryClient.invalidateQueries(deliveriesQuery(projectId, webhookId)),
  })
  const problem = error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null
  if (data === undefined) return problem ?? <Loading />
  if (data.length === 0) {
    return problem ?? <p className="muted">No deliveries yet. Send a test event to try the webhook.</p>
  }
  return (
    <>
      {problem}
      {again.error ? <ErrorNote error={again.error} /> : null}
      <Table label="Deliveries" columns={[...COLUMNS, { title: 'Actions', hidden: true }]}>
        {data.map(({ id, eventType, status, lastStatus, lastError, attempts, createdAt }) => {
          const { word, ...badge } = BADGES[status]
          return (
            <tr key={id} data-testid="delivery-row">
              <td data-label="Status">
                <Badge {...badge}>{word}</Badge>
              </td>
              <td data-label="Event">
                <code>{eventType}</code>
              </td>
              <td data-label="Response">{lastError ?? lastStatus ?? '–'}</td>
              <td data-label="Attempts">{attempts.length}</td>
              <td data-label="Created">
                <RelativeTime at={createdAt} />
              </td>
              <td>
                {status === 'pending' ? null : (
                  <Button
                    variant="quiet"
                    disabled={isDisabled}
                    busy={again.isPending && again.variables === id}
                    onClick={() => again.mutate(id)}
                  >
                    Redeliver
                  </Button>
                )}
              </td>
            </tr>
          )
        })}
      </Table>
    </>
  )
}
