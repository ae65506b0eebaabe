import { type Webhook, WebhookSecret } from '@corrigenda/contracts'
import {
  createWebhook,
  deleteWebhook,
  hasWebhookSecret,
  listWebhooks,
  rotateWebhookSecret,
  toEndpointUrl,
  updateWebhook,
} from '@corrigenda/core/webhooks'
import type { DeclaredProject, DeclaredWebhook } from './declaration.ts'
import {
  describeReference,
  type PartPlan,
  type PlanDeps,
  type PlannedProject,
  resolveSecret,
  type Step,
  toFieldChanges,
} from './plan.ts'
import type { FieldPath } from './read-declaration.ts'

/** Plans the changes of a project's webhooks, which their URLs identify. */
export async function planWebhooks(
  deps: PlanDeps,
  project: PlannedProject,
  { webhooks: declared }: Pick<DeclaredProject, 'webhooks'>,
): Promise<PartPlan> {
  if (declared === undefined) return { steps: [], kept: [] }
  const known = project.id === null ? [] : await listWebhooks(deps.access, project.id)
  const steps: Step[] = []
  const urls = new Set<string>()
  for (const [index, webhook] of declared.entries()) {
    const at = [...project.at, 'webhooks', index]
    const url = toUrl(deps, webhook, { projectId: project.id ?? '', field: [...at, 'url'] })
    if (urls.has(url)) throw deps.read.toError([...at, 'url'], 'is the URL of another webhook of the project.')
    urls.add(url)
    const before = known.find((one) => one.url === url)
    const secret = toSecret(deps, webhook, [...at, 'secret'])
    if (before === undefined) {
      if (secret === undefined && webhook.secretOutput === undefined) {
        throw deps.read.toError(at, 'is created, so it needs secret or secretOutput.')
      }
      steps.push(toCreation(webhook, url, secret))
    } else {
      steps.push(...toUpdate(webhook, before), ...(await toRotation(deps, { webhook, before, secret })))
    }
  }
  const undeclared = known.filter(({ url }) => !urls.has(url))
  return {
    steps: [...(deps.prune ? undeclared.map(toRemoval) : []), ...steps],
    kept: deps.prune ? [] : undeclared.map(({ url, id }) => `${toSubject(url)} (${id})`),
  }
}

/** The path may be a secret, as in the audit log. */
const toSubject = (url: string): string => `webhook ${new URL(url).origin}`

function toCreation(webhook: DeclaredWebhook, url: string, secret: string | undefined): Step {
  const { description, events, enabled } = webhook
  return {
    action: 'create',
    subject: toSubject(url),
    fields: toFieldChanges({}, { description, events, enabled }),
    ...(secret === undefined && webhook.secretOutput !== undefined ? { output: webhook.secretOutput } : {}),
    async run({ access, projectId }) {
      const input = { projectId, url, description, events, ...(secret === undefined ? {} : { secret }) }
      const created = await createWebhook(access, input)
      if (enabled === false) await updateWebhook(access, { projectId, id: created.id, change: { disabled: true } })
      return created.secret
    },
  }
}

function toUpdate(webhook: DeclaredWebhook, before: Webhook): Step[] {
  const { description, enabled } = webhook
  const events = [...new Set(webhook.events)].sort()
  const fields = toFieldChanges(
    { description: before.description, events: [...before.events].sort(), enabled: before.disabledAt === null },
    { description, events, enabled },
  )
  if (fields.length === 0) return []
  const change = { description, events, ...(enabled === undefined ? {} : { disabled: !enabled }) }
  return [
    {
      action: 'update',
      subject: toSubject(before.url),
      fields,
      run: ({ access, projectId }) => updateWebhook(access, { projectId, id: before.id, change }),
    },
  ]
}

async function toRotation(
  { access }: PlanDeps,
  input: { readonly webhook: DeclaredWebhook; readonly before: Webhook; readonly secret: string | undefined },
): Promise<Step[]> {
  const { webhook, before, secret } = input
  if (secret === undefined || webhook.secret === undefined) return []
  if (await hasWebhookSecret(access, { projectId: before.projectId, id: before.id, secret })) return []
  return [
    {
      action: 'update',
      subject: `secret of ${toSubject(before.url)}`,
      fields: [{ field: 'value', before: 'another value', after: describeReference(webhook.secret) }],
      run: ({ access, projectId }) => rotateWebhookSecret(access, { projectId, id: before.id, secret }),
    },
  ]
}

const toRemoval = ({ id, url }: Webhook): Step => ({
  action: 'remove',
  subject: `${toSubject(url)} (${id})`,
  fields: [],
  run: ({ access, projectId }) => deleteWebhook(access, { projectId, id }),
})

function toUrl(
  { access, env, read }: PlanDeps,
  { url }: DeclaredWebhook,
  { projectId, field }: { readonly projectId: string; readonly field: FieldPath },
): string {
  const text = typeof url === 'string' ? url : resolveSecret({ ...read, env }, url, field)
  try {
    return toEndpointUrl(text, { allowedHosts: access.allowedHookHosts, projectId })
  } catch (error) {
    throw read.toError(field, `is not valid. ${(error as Error).message}`)
  }
}

function toSecret({ env, read }: PlanDeps, { secret }: DeclaredWebhook, field: FieldPath): string | undefined {
  if (secret === undefined) return undefined
  const parsed = WebhookSecret.safeParse(resolveSecret({ ...read, env }, secret, field))
  if (parsed.success) return parsed.data
  throw read.toError(field, `${parsed.error.issues[0]?.message ?? 'is not valid'}.`)
}
