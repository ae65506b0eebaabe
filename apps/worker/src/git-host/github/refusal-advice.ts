/** A request that the host refused for good, with what is known about it. */
export interface Refused {
  readonly status: number
  /** The host's own reason: one line. Null if the response is not in the format of GitHub's API. */
  readonly reason: string | null
  /** Value of the header `x-github-sso`, which may contain a URL; empty without one. */
  readonly sso: string
  /** The part of the repository that the request names, such as "the branch main". */
  readonly subject?: string
  /** The permissions that the request needs. */
  readonly needs?: string
}

/**
 * Advice for refusals that have other causes than a missing permission
 * (https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api). The first matching
 * pattern applies.
 */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /IP allow list/i,
    "the organization's IP allow list does not contain the address of this request. Add the address of the workers to the list.",
  ],
  [
    /login attempts/i,
    'the host has locked the account after failed sign-ins. Check the credential, and try again when the lock has ended.',
  ],
  [
    /access blocked|DMCA|takedown|repository (?:is |has been )?disabled|suspended/i,
    'the host has blocked the repository or the account. Ask its owner or the support of the host.',
  ],
  [
    /forbids access|access restrictions/i,
    'the organization does not allow this kind of credential. Ask its owner to allow it, or use a different credential.',
  ],
  [/no common ancestor/i, 'the two commits have no common history, for example because the branch was rewritten.'],
  [/branch not found/i, 'the branch does not exist. Correct its name or create it.'],
]

/**
 * Explains a refusal that a retry does not resolve, with the host's own reason.
 * @returns completes "could not …: "
 */
export function toRefusalAdvice(refused: Refused): string {
  const { status, reason } = refused
  if (reason === null) {
    return `the host or a proxy responded with ${status}, but not in the format of GitHub's API. Check that GITHUB_API_URL is the URL of its REST API.`
  }
  const isKnown = /^(?:not found|gone)$/i.test(reason)
  return isKnown ? findAdvice(refused, reason) : `${findAdvice(refused, reason)} The host reports: ${reason}`
}

function findAdvice({ status, sso, subject, needs }: Refused, reason: string): string {
  if (sso.startsWith('required') || /\bSAML\b/.test(reason)) {
    const url = /url=(https?:\/\/[^\s;,]{1,500})/i.exec(sso)?.[1]
    const where = url === undefined ? 'the token settings of the account' : url
    return `the organization requires single sign-on (SAML). Open ${where} and authorize the token for the organization.`
  }
  for (const [pattern, advice] of CAUSES) if (pattern.test(reason)) return advice
  if (status === 451) return 'the host has blocked the repository for legal reasons. Ask its owner.'
  if (status === 403) return `the credential lacks permission.${needs ? ` Grant it ${needs}.` : ''}`
  if (subject !== undefined) {
    return `the repository or ${subject} does not exist, or the credential has no access.`
  }
  return 'the repository does not exist or the credential has no access to it.'
}
