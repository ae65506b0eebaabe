import { z } from 'zod'
import { KeyScope } from './api-key.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** Allowed lifetimes of a new key in days; null means that the key never expires. */
export const KEY_LIFETIMES = [7, 30, 60, 90, null] as const
/** Allowed grace periods in seconds, during which a rotated key remains valid. */
export const KEY_GRACES = [0, 900, 3600, 21_600, 86_400] as const

/** A key as listed in the dashboard, without its secret. */
export const DashboardKey = z.object({
  id: z.string(),
  /** The beginning of the key: `cgd_<id>`. */
  prefix: z.string(),
  name: z.string(),
  scopes: z.array(KeyScope),
  /** IP addresses or ranges that the key may be used from. An empty list allows all. */
  allowedCidrs: z.array(z.string()),
  createdAt: timestamp,
  /** Name of the user who created it; null if it was created on the command line. */
  createdBy: z.string().nullable(),
  /** Updated at most once a minute; null if the key has never been used. */
  lastUsedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  status: z.enum(['active', 'expired', 'revoked']),
  /** Id of the key that this one replaced. */
  rotatedFrom: z.string().nullable(),
  /** Whether the current user may rotate and revoke the key. */
  canManage: z.boolean(),
})
export type DashboardKey = z.infer<typeof DashboardKey>

/** Keys, newest first. */
export const DashboardKeyList = z.object({ keys: z.array(DashboardKey) })
export type DashboardKeyList = z.infer<typeof DashboardKeyList>

/** Strict, so that a mistyped `allowedCidrs` does not create a key without the restriction. */
export const CreateKeyRequest = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scopes: z
    .array(KeyScope)
    .min(1)
    .max(KeyScope.options.length)
    .transform((scopes) => [...new Set(scopes)]),
  expiresInDays: z.literal(KEY_LIFETIMES).default(90),
  allowedCidrs: z.array(z.string().trim().min(1).max(64)).max(50).default([]),
})
export type CreateKeyRequest = z.infer<typeof CreateKeyRequest>

export const RotateKeyRequest = z.strictObject({ graceSeconds: z.literal(KEY_GRACES) })
export type RotateKeyRequest = z.infer<typeof RotateKeyRequest>

/** `secret` is the complete key, which no other response contains. */
export const CreatedDashboardKey = z.object({ key: DashboardKey, secret: z.string() })
export type CreatedDashboardKey = z.infer<typeof CreatedDashboardKey>

export const RevokedDashboardKey = z.object({ key: DashboardKey })
export type RevokedDashboardKey = z.infer<typeof RevokedDashboardKey>
