import { Role } from '@corrigenda/contracts'
import type { GroupRole } from '@corrigenda/core/accounts'
import { z } from 'zod'

const NAME_LENGTH = 1000

/** Strings separated by commas, or a JSON array of strings if one of them contains a comma. */
const strings = z.string().transform((text, context): string[] => {
  if (!text.trimStart().startsWith('[')) return text.split(',').flatMap((part) => part.trim() || [])
  const parsed = z.array(z.string().trim().min(1)).safeParse(parse(text))
  if (parsed.success) return parsed.data
  context.addIssue('must be values separated by commas, or a JSON array of strings')
  return z.NEVER
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Names of groups at the identity provider. */
export const groupNames = strings.refine((names) => names.every((name) => name.length <= NAME_LENGTH), {
  message: `must not contain a name with more than ${NAME_LENGTH} characters`,
})

/** Everything before the last `=` is the group, so a name such as `cn=docs` needs no quoting. */
const RULE = /^(?<group>.{1,1000})=(?<projectId>prj_[0-9a-z]+):(?<role>[a-z]+)$/s

/** Roles that groups give to their members: `group=project:role`. */
export const groupRoles = strings.transform((rules, context): GroupRole[] => {
  const seen = new Set<string>()
  return rules.flatMap((rule) => {
    const { group = '', projectId = '', role } = RULE.exec(rule)?.groups ?? {}
    const known = Role.safeParse(role)
    const key = `${projectId} ${group}`
    if (!known.success) {
      context.addIssue(
        `"${rule}" must be group=project:role with a project ID and the role ${Role.options.join(', ')}, such as writers=prj_01abc:member. If a name contains a comma, write a JSON array`,
      )
    } else if (seen.has(key)) context.addIssue(`maps the group "${group}" to ${projectId} more than once`)
    seen.add(key)
    return known.success ? [{ group: group.trim(), projectId, role: known.data }] : []
  })
})

/** OAuth scopes, separated by spaces (RFC 6749, 3.3). */
export const oidcScopes = z
  .string()
  .transform((text) => text.split(/\s+/).filter(Boolean))
  .refine((scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)), {
    message: 'must be scopes separated by spaces',
  })
  .refine((scopes) => scopes.includes('openid'), { message: 'must contain openid' })
