import {
  CreateWebhookRequest,
  Email,
  KeyScope,
  ProjectSource,
  ProjectSources,
  Role,
  UpdateProjectSettings,
} from '@corrigenda/contracts'
import { z } from 'zod'

/** Where a secret comes from: an environment variable, or a file relative to the declaration. */
export const SecretReference = z.union(
  [z.strictObject({ env: z.string().regex(/^\w+$/) }), z.strictObject({ file: z.string().min(1) })],
  { error: 'must be { env: NAME } or { file: PATH }. The declaration must not contain secrets' },
)
export type SecretReference = z.infer<typeof SecretReference>

/** Where a new secret goes: to standard output, or to a file that only its owner can read. */
const SecretOutput = z.union([z.literal('print'), z.strictObject({ file: z.string().min(1) })], {
  error: 'must be print or { file: PATH }',
})
export type SecretOutput = z.infer<typeof SecretOutput>

const DeclaredTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('hook'), url: SecretReference }),
  z.strictObject({
    kind: z.literal('workflow_dispatch'),
    workflow: z.string(),
    ref: z.string().optional(),
    inputs: z.record(z.string(), z.union([z.string(), SecretReference])).optional(),
  }),
  z.strictObject({
    kind: z.literal('repository_dispatch'),
    eventType: z.string(),
    clientPayload: z.record(z.string(), z.json()).optional(),
  }),
])
export type DeclaredTarget = z.infer<typeof DeclaredTarget>

const DeclaredSource = ProjectSource.extend({
  /** Null: no token of its own. Omitted: not managed. */
  token: SecretReference.nullable().optional(),
})

const DeclaredKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(KeyScope).min(1),
  /** Days until a new key expires; null for a key that does not expire. */
  expires: z
    .string('must be a number of days, such as 90d, or never')
    .regex(/^([1-9]\d{0,3}d|never)$/, 'must be a number of days, such as 90d, or never')
    .transform((text) => (text === 'never' ? null : Number.parseInt(text, 10))),
  addresses: z.array(z.string().trim().min(1).max(64)).max(50).default([]),
  secretOutput: SecretOutput.optional(),
})
export type DeclaredKey = z.infer<typeof DeclaredKey>

const DeclaredWebhook = z.strictObject({
  url: z.union([CreateWebhookRequest.shape.url, SecretReference], {
    error: 'must be a URL, { env: NAME } or { file: PATH }',
  }),
  description: CreateWebhookRequest.shape.description,
  events: CreateWebhookRequest.shape.events,
  /** Omitted: not managed. */
  enabled: z.boolean().optional(),
  /** The signing secret. Omitted: the service creates one. */
  secret: SecretReference.optional(),
  secretOutput: SecretOutput.optional(),
})
export type DeclaredWebhook = z.infer<typeof DeclaredWebhook>

const DeclaredMember = z.strictObject({ email: Email, role: Role })
export type DeclaredMember = z.infer<typeof DeclaredMember>

/** Requires different values of a field in a list. */
const unique = <T>(items: readonly T[], toName: (item: T) => string) => new Set(items.map(toName)).size === items.length

const DeclaredProject = z.strictObject({
  name: z.string().trim().min(1).max(100),
  /** Selects a project that has another name or shares its name. */
  id: z.string().optional(),
  repository: z.url().max(500),
  /** The access token. Null: none. Omitted: not managed. */
  token: SecretReference.nullable().optional(),
  settings: UpdateProjectSettings.omit({ name: true, repository: true, sources: true })
    .extend({ deployTarget: DeclaredTarget.nullable().optional() })
    .default({}),
  sources: z
    .array(DeclaredSource)
    .refine((sources) => ProjectSources.safeParse(sources.map(({ token: _, ...source }) => source)).success, {
      message: 'must have at most 5 sources with different names',
    })
    .optional(),
  keys: z
    .array(DeclaredKey)
    .refine((keys) => unique(keys, (key) => key.name), { message: 'must have different names' })
    .optional(),
  webhooks: z.array(DeclaredWebhook).optional(),
  members: z
    .array(DeclaredMember)
    .refine((members) => unique(members, (member) => member.email), { message: 'must have different addresses' })
    .optional(),
})
export type DeclaredProject = z.infer<typeof DeclaredProject>

const listOutputFiles = ({ keys = [], webhooks = [] }: DeclaredProject): string[] =>
  [...keys, ...webhooks].flatMap(({ secretOutput }) => (typeof secretOutput === 'object' ? [secretOutput.file] : []))

/** The version of the format that this command reads and writes. */
export const DECLARATION_VERSION = 1

/** A declaration file. Fields that it omits are left unchanged. */
export const Declaration = z
  .strictObject({
    version: z.literal(DECLARATION_VERSION),
    /** Where the links of new invitations go. */
    invitationLinks: SecretOutput.optional(),
    projects: z.array(DeclaredProject).refine((projects) => unique(projects, ({ id, name }) => id ?? name), {
      message: 'must have different names',
    }),
  })
  .refine(({ projects }) => unique(projects.flatMap(listOutputFiles), (file) => file), {
    path: ['projects'],
    message: 'must write secrets to different files',
  })
export type Declaration = z.infer<typeof Declaration>
