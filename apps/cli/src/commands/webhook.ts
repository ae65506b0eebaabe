import { ListDeliveriesQuery, type WebhookDelivery, WebhookEventType } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
} from '@corrigenda/core/webhooks'
import { type Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'
import { printAnswer, toPrintable, toTable } from '../terminal/print.ts'

interface Json {
  json?: boolean
}

/**
 * Adds `webhook add | list | remove | enable | rotate | test | deliveries | redeliver`, which use
 * the database directly. Workers send the deliveries.
 */
export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhook = program.command('webhook').description("send a project's events to other services")

  webhook
    .command('add')
    .description('add an endpoint; its signing secret is shown only once')
    .requiredOption('--project <id>', 'project ID')
    .requiredOption('--url <url>', 'https URL, or any URL on a host in ALLOWED_HOOK_HOSTS')
    .option(
      '--events <types>',
      `comma-separated event types (default: all): ${WebhookEventType.options.join(', ')}`,
      parseEvents,
      [],
    )
    .option('--description <text>', 'purpose of the endpoint', '')
    .option('--json', 'print one JSON object')
    .action(
      async (options: { project: string; url: string; events: WebhookEventType[]; description: string } & Json) => {
        const { project: projectId, url, events, description } = options
        const created = await withDatabaseAccess(context, (access) =>
          explain(`project ${projectId}`, createWebhook(access, { projectId, url, events, description })),
        )
        printAnswer(context, options.json, created, [
          created.secret,
          `Store this secret now. It cannot be shown again. Webhook ID: ${created.id}`,
        ])
      },
    )

  webhook
    .command('list')
    .description('list endpoints without their secrets')
    .option('--project <id>', "list only this project's endpoints")
    .option('--json', 'print one JSON object')
    .action(async (options: { project?: string } & Json) => {
      const webhooks = await withDatabaseAccess(context, (access) => listWebhooks(access, options.project ?? null))
      const rows = webhooks.map((w) => [
        w.id,
        w.projectId,
        w.disabledReason
          ? `disabled (${w.disabledReason})`
          : w.failingSince
            ? `failing since ${w.failingSince}`
            : 'active',
        w.events.join(',') || 'all',
        w.url,
      ])
      printAnswer(context, options.json, { webhooks }, toTable([['ID', 'PROJECT', 'STATE', 'EVENTS', 'URL'], ...rows]))
    })

  webhook
    .command('remove')
    .description('remove an endpoint and its delivery log')
    .argument('<id>')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: Json) => {
      await withDatabaseAccess(context, (access) =>
        explain(`webhook ${id}`, deleteWebhook(access, { projectId: null, id })),
      )
      printAnswer(context, options.json, { id, removed: true }, [`Removed webhook ${id}.`])
    })

  webhook
    .command('enable')
    .description('enable a disabled endpoint')
    .argument('<id>')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: Json) => {
      const change = { disabled: false }
      const enabled = await withDatabaseAccess(context, (access) =>
        explain(`webhook ${id}`, updateWebhook(access, { projectId: null, id, change })),
      )
      printAnswer(context, options.json, enabled, [`Enabled webhook ${id}.`])
    })

  webhook
    .command('rotate')
    .description('create a new secret for an endpoint; deliveries are also signed with the old secret for 24 hours')
    .argument('<id>')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: Json) => {
      const rotated = await withDatabaseAccess(context, (access) =>
        explain(`webhook ${id}`, rotateWebhookSecret(access, { projectId: null, id })),
      )
      printAnswer(context, options.json, rotated, [
        rotated.secret,
        `Store this secret now. It cannot be shown again. The old secret is valid until ${rotated.previousValidUntil}.`,
      ])
    })

  webhook
    .command('test')
    .description('send a webhook.test event to an endpoint')
    .argument('<id>')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: Json) => {
      const sent = await withDatabaseAccess(context, (access) =>
        explain(`webhook ${id}`, sendTestEvent(access, { projectId: null, id })),
      )
      printAnswer(context, options.json, sent, [`Queued delivery ${sent.id}.`])
    })

  webhook
    .command('deliveries')
    .description("list an endpoint's latest deliveries")
    .argument('<id>')
    .option('--limit <n>', 'maximum number of deliveries, from 1 to 100', parseLimit, 20)
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: { limit: number } & Json) => {
      const query = ListDeliveriesQuery.parse({ limit: options.limit })
      const page = await withDatabaseAccess(context, (access) =>
        explain(`webhook ${id}`, listDeliveries(access, { projectId: null, id, ...query })),
      )
      const heading = ['ID', 'CREATED', 'EVENT', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT']
      printAnswer(context, options.json, page, toTable([heading, ...page.deliveries.map(toRow)]))
    })

  webhook
    .command('redeliver')
    .description('send a delivery again, regardless of its status')
    .argument('<id>', 'delivery ID')
    .option('--json', 'print one JSON object')
    .action(async (deliveryId: string, options: Json) => {
      const sent = await withDatabaseAccess(context, (access) =>
        explain(`delivery ${deliveryId}`, redeliver(access, { projectId: null, deliveryId })),
      )
      printAnswer(context, options.json, sent, [`Queued delivery ${deliveryId} again.`])
    })
}

const toRow = (d: WebhookDelivery): string[] =>
  [
    d.id,
    d.createdAt,
    d.eventType,
    d.status,
    String(d.attempts.length),
    d.lastError ?? d.lastStatus?.toString() ?? '-',
    d.nextAttemptAt ?? '-',
  ].map(toPrintable)

/**
 * Names the object in a "not found" error. Unlike this command, the HTTP API must not reveal
 * whether the object exists in another project.
 */
async function explain<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') throw new Error(`There is no ${what}.`)
    throw error
  }
}

function parseEvents(text: string): WebhookEventType[] {
  return text.split(',').map((name) => {
    const type = WebhookEventType.safeParse(name.trim())
    if (!type.success) throw new InvalidArgumentError(`Valid event types are ${WebhookEventType.options.join(', ')}.`)
    return type.data
  })
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw new InvalidArgumentError('Use a number from 1 to 100.')
  return limit
}
