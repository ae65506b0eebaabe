import { MAX_WEBHOOKS, type Webhook, type WebhookDelivery } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  deleteWebhook,
  deliveriesQuery,
  redeliver,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
  webhooksQuery,
} from '../../api/webhooks.ts'
import { Badge, type BadgeProps } from '../../components/badge.tsx'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { Menu } from '../../components/menu.tsx'
import { Table } from '../../components/table.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { useProjectId } from '../../shell/use-project.ts'
import { SecretOnce } from './secret-once.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

const BADGES: Readonly<Record<WebhookDelivery['status'], Omit<BadgeProps, 'children'> & { word: string }>> = {
  pending: { word: 'Pending', icon: 'ring', tone: 'muted' },
  delivered: { word: 'Delivered', icon: 'check', tone: 'ok' },
  failed: { word: 'Failed', icon: 'failed', tone: 'bad' },
}

const COLUMNS = ['Status', 'Event', 'Response', 'Attempts', 'Created'].map((title) => ({ title }))

const REASONS = {
  manual: 'Disabled manually. No more events are sent.',
  gone: 'The endpoint returned 410 Gone. No more events are sent.',
  failing: 'No delivery succeeded for three days. No more events are sent.',
} as const

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

/** A webhook endpoint, with its actions and delivery log. */
function WebhookRow({ webhook }: { webhook: Webhook }) {
  const projectId = useProjectId()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [asks, setAsks] = useState<'rotate' | 'delete' | null>(null)
  const [showsLog, setShowsLog] = useState(false)
  const reload = () => queryClient.invalidateQueries(webhooksQuery(projectId))
  const { id, url, description, events, disabledAt, disabledReason, failingSince } = webhook
  const test = useAction({
    mutationFn: () => sendTestEvent(projectId, id),
    onSuccess: async () => {
      toast('Test event queued.')
      setShowsLog(true)
      await reload()
    },
  })
  const toggle = useAction({
    mutationFn: () => updateWebhook(projectId, id, { disabled: disabledAt === null }),
    onSuccess: reload,
  })
  const remove = useAction({ mutationFn: () => deleteWebhook(projectId, id), onSuccess: reload })
  const rotate = useAction({
    mutationFn: () => rotateWebhookSecret(projectId, id),
    onSuccess: () => setAsks(null),
    gcTime: 0,
  })
  const error = test.error ?? toggle.error
  return (
    <li className="settings-item stack gap-2" data-testid="webhook-row">
      <div className="spread">
        <span className="cluster">
          {disabledReason ? (
            <Badge icon="slash" tone="muted" hint={REASONS[disabledReason]}>
              Disabled
            </Badge>
          ) : failingSince ? (
            <Badge
              icon="warning"
              tone="warn"
              hint="Recent deliveries failed. After three days without a successful delivery, the webhook will be disabled."
            >
              Failing
            </Badge>
          ) : (
            <Badge icon="check" tone="ok">
              Enabled
            </Badge>
          )}
          <code>{url}</code>
        </span>
        <span className="cluster">
          <Button busy={test.isPending} disabled={disabledAt !== null} onClick={() => test.mutate()}>
            Send test event
          </Button>
          <Menu
            trigger={
              <Button icon="more" iconOnly>
                More actions for {url}
              </Button>
            }
            entries={[
              { label: disabledAt === null ? 'Disable' : 'Enable', onSelect: () => toggle.mutate() },
              { label: 'Rotate secret', onSelect: () => setAsks('rotate') },
              { label: 'Delete', danger: true, onSelect: () => setAsks('delete') },
            ]}
          />
        </span>
      </div>
      <p className="muted">
        {description ? `${description} · ` : ''}
        {events.length === 0 ? 'All events' : events.join(', ')}
      </p>
      {error ? <ErrorNote error={error} /> : null}
      <details open={showsLog} onToggle={(event) => setShowsLog(event.currentTarget.open)}>
        <summary>Deliveries</summary>
        {showsLog ? <DeliveryLog webhookId={id} isDisabled={disabledAt !== null} /> : null}
      </details>
      <ConfirmDialog
        open={asks === 'rotate'}
        title="Rotate the signing secret?"
        action="Rotate"
        variant="primary"
        busy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsks(null)}
      >
        For 24 hours, deliveries will be signed with both the old and the new secret, so that you can update the
        receiver.
      </ConfirmDialog>
      <ConfirmDialog
        open={asks === 'delete'}
        title="Delete this webhook?"
        action="Delete"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsks(null)}
      >
        No more events will be sent to {url}, and the delivery log will be deleted.
      </ConfirmDialog>
      {rotate.data ? (
        <SecretOnce
          title="Secret rotated"
          secret={rotate.data.secret}
          note={`The old secret stays valid until ${new Date(rotate.data.previousValidUntil).toLocaleString()}.`}
          onClose={() => rotate.reset()}
        />
      ) : null}
    </li>
  )
}

/** An endpoint's recent deliveries, with its responses. */
function DeliveryLog({ webhookId, isDisabled }: { webhookId: string; isDisabled: boolean }) {
  const projectId = useProjectId()
  const { data, error, refetch } = useQuery(deliveriesQuery(projectId, webhookId))
  const again = useAction({
    mutationFn: (deliveryId: string) => redeliver(projectId, webhookId, deliveryId),
    refetch: [deliveriesQuery(projectId, webhookId)],
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
