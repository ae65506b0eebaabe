import type { Requester } from '@corrigenda/core/runs'
import { disarmPlain, redactSecrets, removeHidden, shorten, toOneLine, wrapWords } from '@corrigenda/git/text'
import type { CommitIdentity } from '../git-host/credentials.ts'

interface CommitMessageInput {
  /** Subject of the commit: the title of the pull request. */
  readonly title: string
  /** The model's description. May be empty. */
  readonly body: string
  readonly jobId: string
  /** Identities for `Co-authored-by` trailers. */
  readonly coAuthors: readonly CommitIdentity[]
  /** Author for the `Signed-off-by` trailer; null for none. */
  readonly signedOffBy: CommitIdentity | null
  /** This process's secrets. */
  readonly knownSecrets: readonly string[]
}

const MAX_SUMMARY = 600
const MAX_LINE = 72

/**
 * Builds the message of a commit: the subject, the first paragraph of the description, and the
 * trailers. Further paragraphs are omitted, so that none of them is parsed as a trailer. The same
 * input produces the same message.
 */
export function buildCommitMessage(input: CommitMessageInput): string {
  const { title, body, jobId, coAuthors, signedOffBy, knownSecrets } = input
  const [summary = ''] = redactSecrets(removeHidden(body), knownSecrets)
    .split(/\n\s*\n/u)
    .map((paragraph) => disarmPlain(toOneLine(paragraph)))
    .filter(Boolean)
  const trailers = [toJobTrailer(jobId), ...coAuthors.map((one) => toTrailer('Co-authored-by', one))]
  if (signedOffBy !== null) trailers.push(toTrailer('Signed-off-by', signedOffBy))
  const paragraphs = [title, wrapWords(shorten(summary, MAX_SUMMARY), MAX_LINE), trailers.join('\n')]
  return paragraphs.filter(Boolean).join('\n\n')
}

/** The line of a commit message that names its job. A job adopts a commit with this line as its own. */
export const toJobTrailer = (jobId: string): string => `Corrigenda-Job: ${jobId}`

const toTrailer = (key: string, { name, email }: CommitIdentity): string =>
  `${key}: ${toOneLine(name)} <${toOneLine(email)}>`

interface CoAuthorRules {
  /** `host` or `host:port` of the repository. */
  readonly host: string
  /** The commit's author, who is not also a co-author. */
  readonly author: CommitIdentity
  /** True if readers of the repository may see the users' email addresses. */
  readonly hasAddresses: boolean
  /** This process's secrets. */
  readonly knownSecrets: readonly string[]
}

const MAX_NAME = 100
/** The only characters that a trailer and every Git host accept without quoting. */
const ADDRESS = /^[a-z0-9!$%&'*+/=?^_`{|}~.-]+@[a-z0-9.-]+$/i

/**
 * Returns the identities for `Co-authored-by` trailers. On github.com, a user with a linked account
 * is named with the no-reply address that GitHub gives them. All others are named with the address of
 * their account. A user without a permitted address or with an unusable one is omitted.
 * https://docs.github.com/en/account-and-profile/reference/email-addresses-reference
 */
export function toCoAuthors(requesters: readonly Requester[], rules: CoAuthorRules): CommitIdentity[] {
  const seen = new Set([rules.author.email.toLowerCase()])
  return requesters.flatMap((requester) => {
    const name = toName(redactSecrets(requester.name, rules.knownSecrets))
    const email = findAddress(requester, rules)
    if (name === '' || email === null || !ADDRESS.test(email) || seen.has(email.toLowerCase())) return []
    seen.add(email.toLowerCase())
    return [{ name, email }]
  })
}

function findAddress({ email, github }: Requester, { host, hasAddresses }: CoAuthorRules): string | null {
  if (github !== null && host === 'github.com') return `${github.id}+${github.login}@users.noreply.github.com`
  return hasAddresses ? email : null
}

/** Users choose their names, which must not end the line, add an address, or mention or close anything. */
function toName(text: string): string {
  const name = disarmPlain(toOneLine(text.replace(/[<>"\\]/g, ' '))).trim()
  return /[\p{L}\p{N}]/u.test(name) ? shorten(name, MAX_NAME) : ''
}
