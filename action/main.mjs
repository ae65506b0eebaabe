// The GitHub Action. Creates a job, waits until it ends and sets the outputs. Has no dependencies
// and no build step.
import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 2000
/** A request to a wrong URL fails within seconds. Polling tolerates a two-minute outage. */
const ATTEMPTS = { create: 5, poll: 9 }
const GITHUB_LIMIT_MS = 30_000

const { env } = process
/** Trims inputs as the runner's toolkit does. An empty input counts as missing. */
const input = (name) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

/** The inputs that are options of the job, and their kinds. "pnpm openapi" writes this list. */
// <job options>
const JOB_OPTIONS = {
  model: 'text',
  ref: 'text',
  draft: 'switch',
  branch: 'text',
  title: 'text',
  labels: 'list',
  dedupe: 'switch',
  questions: 'choice',
  metadata: 'pairs',
  sources: 'sources',
}
// </job options>

/** Reads an input, by the kind of the option. */
const READERS = {
  text: input,
  choice: input,
  switch: (name) => isOn(name, undefined),
  list: lines,
  pairs: readPairs,
  sources: (name) => lines(name).map((text) => readSource(name, text)),
}

/** An error that is logged without a stack trace. */
class Failure extends Error {}

try {
  await run(readInputs())
} catch (error) {
  const message = error instanceof Failure ? error.message : `Unexpected error: ${error?.stack ?? error}`
  console.log(`::error title=Corrigenda::${escapeCommand(message)}`)
  process.exitCode = 1
}

async function run(inputs) {
  console.log(`::add-mask::${inputs.apiKey}`)
  const project = `${inputs.url}/v2/agent/${encodeURIComponent(inputs.projectId)}`
  const { body: created } = await callApi(inputs, `${project}/job`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(inputs.job),
  })
  print(`Job ${created.id} was accepted.`)
  setOutput('job-id', created.id)
  const job = inputs.wait ? await waitForEnd(inputs, `${project}/job/${created.id}`, created) : created
  setOutput('status', job.status)
  setOutput('outcome', job.outcome ?? '')
  setOutput('pr-link', job.prLink ?? '')
  setOutput('summary', job.summary ?? '')
  appendTo('GITHUB_STEP_SUMMARY', describe(job, inputs))
  if (inputs.comment && job.prLink) await tryToComment(inputs, job)
  if (job.status === 'failed') {
    const { code = 'unknown', message } = job.failure ?? {}
    const why = inputs.showSummary ? (message ?? 'no message.') : 'The service has the message.'
    throw new Failure(`The job failed (${code}): ${why}`)
  }
  print(job.prLink ? `Pull request: ${job.prLink}` : `No pull request (${job.outcome ?? job.status}).`)
}

function readInputs() {
  for (const name of ['url', 'api-key', 'project-id', 'prompt']) {
    if (input(name) === '') throw new Failure(`The input "${name}" is missing. Set it under "with:" in the workflow.`)
  }
  // Checked before masking, because the runner masks only the first line of a value and prints the
  // remaining lines.
  if (!/^[\x21-\x7e]+$/.test(input('api-key'))) {
    throw new Failure(
      'The input "api-key" is not a valid key, because it contains spaces, line breaks or other invalid characters. Check the secret.',
    )
  }
  if (!/^https?:$/.test(URL.canParse(input('url')) ? new URL(input('url')).protocol : '')) {
    throw new Failure(
      'The input "url" is not a URL. Set it to the URL of the API, such as https://corrigenda.example.com.',
    )
  }
  const { protocol, hostname } = new URL(input('url'))
  if (protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) {
    throw new Failure('The input "url" uses http, so the API key would be sent without encryption. Use an https URL.')
  }
  const minutes = Number(input('timeout-minutes') || '30')
  if (!(minutes > 0)) throw new Failure('The input "timeout-minutes" must be a number greater than 0.')
  return {
    url: input('url').replace(/\/+$/, ''),
    apiKey: input('api-key'),
    projectId: input('project-id'),
    job: readJob(),
    wait: isOn('wait', true),
    deadline: Date.now() + minutes * 60_000,
    minutes,
    comment: isOn('comment', false),
    // Everyone can read the logs and the summaries of a public repository.
    showSummary: isOn('show-summary', readEvent().repository?.private === true),
    token: input('github-token'),
  }
}

/** Builds the request body. Omits missing inputs, so that the service's defaults apply. */
function readJob() {
  const fields = { prompt: input('prompt') }
  for (const [name, kind] of Object.entries(JOB_OPTIONS)) fields[name] = READERS[kind](name)
  const isSet = (value) => typeof value === 'boolean' || Object.keys(value ?? '').length > 0
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)))
}

function readPairs(name) {
  const pairs = lines(name).map((line) => {
    const at = line.indexOf('=')
    if (at < 1) throw new Failure(`The input "${name}" must contain one name=value pair per line.`)
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
  })
  return Object.fromEntries(pairs)
}

/** Parses the text form of a source, as `corrigenda job create --source` does. */
function readSource(input, text) {
  const [, name, number, at] = /^([^@#]+)(?:#(\d+)|@(.+))?$/.exec(text) ?? []
  if (name === undefined) {
    throw new Failure(
      `The input "${input}" must contain one source per line: NAME, NAME@REF, NAME@SINCE..REF or NAME#NUMBER.`,
    )
  }
  if (number !== undefined) return { name, pullRequest: Number(number) }
  const [, since, end] = /^(.+?)\.{2,3}(.*)$/.exec(at ?? '') ?? [undefined, undefined, at]
  return { name, ...(end ? { ref: end } : {}), ...(since ? { since } : {}) }
}

function lines(name) {
  return input(name)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

function isOn(name, otherwise) {
  const value = input(name).toLowerCase()
  if (value !== '' && value !== 'true' && value !== 'false')
    throw new Failure(`The input "${name}" must be true or false.`)
  return value === '' ? otherwise : value === 'true'
}

/** Retries after rate limits, outages and connection errors. All requests are safe to repeat. */
async function callApi({ url, apiKey, deadline }, endpoint, init = {}, attempts = ATTEMPTS.create) {
  for (let attempt = 1; ; attempt += 1) {
    const headers = { ...init.headers, authorization: `Bearer ${apiKey}` }
    const response = await fetch(endpoint, {
      ...init,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(60_000),
    }).catch(() => null)
    const isInFlight = response?.headers.get('x-error-code') === 'idempotency_in_flight'
    const isRetryable = response === null || isInFlight || [429, 502, 503, 504].includes(response.status)
    const wait = Math.min(Number(response?.headers.get('retry-after') ?? 0) * 1000 || 1000 * 2 ** (attempt - 1), 60_000)
    if (isRetryable && attempt < attempts && Date.now() + wait < deadline) {
      await sleep(wait)
      continue
    }
    if (response === null) throw new Failure(`No response from ${new URL(url).origin}. Check the input "url".`)
    if (response.status === 304) return { body: null, etag: response.headers.get('etag') }
    const body = await response.json().catch(() => null)
    if (response.ok && body !== null) return { body, etag: response.headers.get('etag') }
    if (typeof body?.error === 'string') throw new Failure(body.error)
    throw new Failure(
      `The server at ${new URL(url).origin} (status ${response.status}) is not the Corrigenda API. Check the input "url".`,
    )
  }
}

async function waitForEnd(inputs, endpoint, created) {
  let job = created
  let etag = null
  let phase = null
  while (job.status === 'active') {
    if (Date.now() + POLL_MS > inputs.deadline) {
      throw new Failure(
        `Job ${job.id} did not finish within ${inputs.minutes} minutes. It continues in the background.`,
      )
    }
    await sleep(POLL_MS)
    const init = etag === null ? {} : { headers: { 'if-none-match': etag } }
    const result = await callApi(inputs, endpoint, init, ATTEMPTS.poll)
    job = result.body ?? job
    etag = result.etag ?? etag
    if (job.phase !== phase && job.phase !== null) print(`Phase: ${job.phase}`)
    phase = job.phase
  }
  return job
}

/** Posts the comment. A failure does not fail the step, because the pull request already exists. */
async function tryToComment(inputs, job) {
  try {
    await commentOnce(inputs, job)
  } catch {
    warn('GitHub could not be reached, so the link to the pull request was not posted as a comment.')
  }
}

/** Prints one line. It starts with fixed text, so that the runner does not run a command in the rest. */
function print(line) {
  console.log(line.replace(/[\r\n]+/g, ' ').replaceAll('##[', '## ['))
}

function warn(text) {
  console.log(`::warning title=Corrigenda::${escapeCommand(text)}`)
}

/** Posts one comment per job, even if the step is repeated. Includes no model-generated text. */
async function commentOnce({ token }, job) {
  const number = findPullRequest()
  if (number === null)
    return console.log('No comment was posted, because the workflow was not triggered by a pull request.')
  const api = `${env.GITHUB_API_URL ?? 'https://api.github.com'}/repos/${env.GITHUB_REPOSITORY}/issues/${number}/comments`
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'content-type': 'application/json',
  }
  const mark = `<!-- corrigenda ${job.id} -->`
  const signal = AbortSignal.timeout(GITHUB_LIMIT_MS)
  for (let page = 1; ; page += 1) {
    const listed = await fetch(`${api}?per_page=100&page=${page}`, { headers, signal })
    const known = listed.ok ? await listed.json() : []
    if (known.some((comment) => comment.body?.includes(mark))) return
    if (known.length < 100) break
  }
  const text = `A documentation update for this change is proposed in ${job.prLink}.\n\n${mark}`
  const sent = await fetch(api, { method: 'POST', headers, body: JSON.stringify({ body: text }), signal })
  if (!sent.ok) {
    warn(
      `GitHub rejected the comment (status ${sent.status}). Add "permissions: pull-requests: write" to the workflow.`,
    )
  }
}

function readEvent() {
  return env.GITHUB_EVENT_PATH ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')) : {}
}

function findPullRequest() {
  const event = readEvent()
  return event.pull_request?.number ?? (event.issue?.pull_request ? event.issue.number : null)
}

function describe(job, { showSummary }) {
  const lines = [`### Corrigenda: ${job.outcome ?? job.status}`, '', `Job \`${job.id}\``, '']
  if (job.prLink) lines.push(`Pull request: ${job.prLink}`, '')
  if (job.failure) lines.push(`Failure \`${job.failure.code}\``, '')
  const texts = showSummary ? [job.title, job.failure?.message, job.summary] : []
  const details = texts.filter(Boolean).join('\n\n')
  if (details) lines.push(fence(details), '')
  return `${lines.join('\n')}\n`
}

/** Puts model-generated text in a code block, so that it cannot create links or mention users. */
function fence(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}text\n${text}\n${marks}`
}

/** Uses a random delimiter, so that a value cannot terminate the block and set another output. */
function setOutput(name, value) {
  const end = randomUUID()
  appendTo('GITHUB_OUTPUT', `${name}<<${end}\n${value}\n${end}\n`)
}

function appendTo(variable, text) {
  if (env[variable]) appendFileSync(env[variable], text)
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function escapeCommand(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
