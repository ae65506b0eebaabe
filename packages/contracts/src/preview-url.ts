import { z } from 'zod'
import { isPlain, plain } from './text-rules.ts'

/** Maximum length of a branch slug. A label of a host name can have 63 characters. */
const MAX_SLUG = 40
const PLACEHOLDER = /\{[^}]*\}?/g
const KNOWN: ReadonlySet<string> = new Set(['{branch}', '{branchSlug}', '{project}'])

/**
 * Pattern for the URLs of previews. `{branchSlug}` is the branch as a part of a host name, `{branch}`
 * is the branch as a path, and `{project}` is the project id.
 */
export const PreviewUrlTemplate = z
  .string()
  .trim()
  .max(500)
  .refine(isPlain, plain)
  .refine((template) => (template.match(PLACEHOLDER) ?? []).every((mark) => KNOWN.has(mark)), {
    message: 'must contain no placeholders other than {branch}, {branchSlug} and {project}',
  })
  .refine((template) => /\{branch(Slug)?\}/.test(template), { message: 'must contain {branchSlug} or {branch}' })
  .refine(isUrl, {
    message:
      'must be a URL such as https://{branchSlug}.preview.example.com or https://example.com/preview/{branch}, with no placeholder other than {branchSlug} in the host',
  })

/** Returns the URL of a branch's preview. */
export function toPreviewUrl(template: string, { branch, projectId }: { branch: string; projectId: string }): string {
  const values: Readonly<Record<string, string>> = {
    '{branch}': branch.split('/').map(encodeURIComponent).join('/'),
    '{branchSlug}': toBranchSlug(branch),
    '{project}': projectId,
  }
  return new URL(template.replace(PLACEHOLDER, (mark) => values[mark] ?? mark)).href
}

/**
 * Returns the branch in lower case, with hyphens instead of other characters than letters and
 * digits. A hash replaces the end of a long name, and a name without such characters.
 */
export function toBranchSlug(branch: string): string {
  const slug = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (slug !== '' && slug.length <= MAX_SLUG) return slug
  const hash = toHash(branch)
  const start = slug.slice(0, MAX_SLUG - hash.length - 1).replace(/-$/, '')
  return start === '' ? hash : `${start}-${hash}`
}

/** FNV-1a with 32 bits: this file also runs in browsers, and the hash protects nothing. */
function toHash(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(36).padStart(7, '0')
}

function isUrl(template: string): boolean {
  const [, host = ''] = /^https?:\/\/([^/?#@\\]+)(?=[/?#]|$)/.exec(template) ?? []
  if ((host.match(PLACEHOLDER) ?? []).some((mark) => mark !== '{branchSlug}')) return false
  const filled = host.replaceAll('{branchSlug}', 'x'.repeat(MAX_SLUG))
  const { hostname } = URL.parse(`https://${filled}`) ?? { hostname: '' }
  return hostname !== '' && hostname.length <= 253 && hostname.split('.').every((label) => label.length <= 63)
}
