/** `https://host[:port]/owner/name`, without a trailing `.git`: how a repository is named everywhere. */
const FORM = 'https://github.com/OWNER/NAME'

/**
 * Checks a repository URL against the policy and answers its one spelling. Only https (plain http for loopback), only allowed hosts, only
 * owner and name, never a credential.
 * @param allowedHosts `host` or `host:port`, lower case
 * @throws Error that says what is wrong with it; the message never repeats a credential
 */
export function toRepositoryUrl(text: string, allowedHosts: readonly string[]): string {
  if (!URL.canParse(text)) throw new Error(`The repository must be a URL such as ${FORM}.`)
  const url = new URL(text)
  if (url.username || url.password) {
    throw new Error(
      'The repository URL must not contain a user name or token. Configure GITHUB_TOKEN or a GitHub App instead.',
    )
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new Error(`The repository URL must start with https:// (such as ${FORM}).`)
  }
  if (url.search || url.hash) throw new Error(`The repository URL must be just ${FORM}, without ? or #.`)
  if (!allowedHosts.includes(url.host)) {
    throw new Error(
      `Repositories on ${url.host} are not allowed here. Allowed: ${allowedHosts.join(', ')} (ALLOWED_REPOSITORY_HOSTS).`,
    )
  }
  const [owner, name, ...rest] = url.pathname
    .slice(1)
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .split('/')
  if (!owner || !name || rest.length > 0 || ![owner, name].every(isName)) {
    throw new Error(`The repository URL must name an owner and a repository, such as ${FORM}.`)
  }
  return `${url.protocol}//${url.host}/${owner}/${name}`
}

const isName = (part: string): boolean => /^[A-Za-z0-9._-]{1,100}$/.test(part) && part !== '.' && part !== '..'

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
