import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { type AgentJob, type Corrigenda, CorrigendaError } from '@corrigenda/client'
import { type Env, type Log, logLevel, openLog, readEnv } from '@corrigenda/core/runtime'
import { loadWorkerConfig } from '@corrigenda/worker'
import { readPullRequestDiff } from '@corrigenda/worker/parts'
import { z } from 'zod'
import type { CommandContext } from '../environment/command-context.ts'
import { STATE_FOLDER } from '../environment/config.ts'
import { hasGitCredential } from '../environment/resolve-environment.ts'
import { findFirstJob, saveFirstJob } from '../environment/state-file.ts'
import { closeOnSignal } from '../services/close-on-signal.ts'
import { type Serving, serve } from '../services/serve.ts'
import { formatEvent } from '../terminal/format-event.ts'
import { openClient } from '../terminal/open-client.ts'
import { toPrintable } from '../terminal/print.ts'
import { ensureDemoProject } from './ensure-demo-project.ts'
import { buildScreen, describeCost, type Screen } from './screen.ts'

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD)$|^(DATABASE|REDIS)_URL$/

const DEMO_PROMPT = 'Document the new --json flag'
const REAL_PROMPT = 'Find one spelling or grammar mistake on the home page and correct it. Change nothing else.'
const DIFF_LINES = 60
const LINGER_MS = 1500

export interface QuickstartOptions {
  /** Exits after the first job instead of continuing to serve. */
  readonly once: boolean
  /** Port of the API. Default: `PORT`, or 8080 if it is free. */
  readonly port?: number
  readonly repository?: string
  /** URLs of the repositories to add as sources to the project of `repository`. */
  readonly sources: readonly string[]
  readonly prompt?: string
  /**
   * Opens the dashboard in a browser. Default: only on a terminal, unless `once` or `CI` is set.
   */
  readonly open?: boolean
}

/**
 * Starts all services, posts one job over HTTP as a backend would, and shows its live progress and
 * the pull request.
 * @returns the exit code: 0 if the job completed
 * @throws ConfigError if a setting is invalid; Error if a component cannot start
 */
export async function runQuickstart(context: CommandContext, options: QuickstartOptions): Promise<number> {
  const startedAt = performance.now()
  const { env, cwd, stdout } = context
  const screen = buildScreen(stdout, startedAt)
  if (hasGitCredential(env) && !options.repository) {
    screen.bad('A GitHub credential is set. Choose a repository with --repository https://github.com/OWNER/NAME.')
    return 2
  }
  if (options.repository && !hasGitCredential(env)) {
    screen.bad('To use your own repository, set GITHUB_TOKEN (contents and pull requests: read and write).')
    return 2
  }
  if (options.sources.length > 0 && !options.repository) {
    screen.bad('The sample documentation has its own source. Use --source together with --repository.')
    return 2
  }
  const { LOG_LEVEL: level } = readEnv(z.object({ LOG_LEVEL: logLevel.default('info') }), env)
  screen.heading('Corrigenda turns a sentence into a pull request on a documentation repository.')
  const logFile = path.join(STATE_FOLDER, 'quickstart.log')
  const log = await openLogFile(path.resolve(cwd, logFile), level, env)
  const port = options.port?.toString() ?? (env.PORT || (await pickPort(8080)))
  const serving = await serve({ cwd, env: { ...env, PORT: port } }, { api: log, worker: log })
  let completed: boolean
  try {
    for (const { part, what } of serving.parts) screen.line(`  ${part.padEnd(9)} ${what}`)
    screen.line(`  ${'API'.padEnd(9)} ${serving.url}`)
    screen.line(`  ${'Log'.padEnd(9)} ${logFile}`)
    if (serving.dashboardUrl !== null) {
      screen.line(
        `  ${'Dashboard'.padEnd(9)} ${serving.dashboardUrl}${serving.demoSignIn ? ' (you are signed in)' : ''}`,
      )
    }
    const shows = options.open ?? (Boolean(stdout.isTTY) && !options.once && !env.CI)
    const open = (path: string) => {
      if (shows && serving.dashboardUrl !== null) openInBrowser(env, `${serving.dashboardUrl}${path}`)
    }
    completed = await showJob(screen, serving, cwd, { ...options, onCreated: open })
    screen.line()
    screen.dim(`Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  } catch (error) {
    await serving.close()
    throw error
  }
  if (options.once) {
    // Keeps serving briefly, because a script that reads this output may open the printed link
    // immediately.
    if (completed) await new Promise((resolve) => setTimeout(resolve, LINGER_MS))
    await serving.close()
  } else {
    screen.line('The services are running. Press Ctrl-C to stop them.')
    await closeOnSignal(serving.close)
  }
  return completed ? 0 : 1
}

/**
 * Opens the log file. Only its owner can read it, because it contains prompts and repository names.
 * Environment secrets are redacted from every line.
 */
async function openLogFile(file: string, level: string, env: Env): Promise<Log> {
  await mkdir(path.dirname(file), { recursive: true })
  const handle = await open(file, 'a', 0o600)
  // The mode above applies only to a new file.
  await handle.chmod(0o600)
  return openLog({ level, secrets: listEnvSecrets(env), destination: handle.createWriteStream() })
}

async function showJob(
  screen: Screen,
  serving: Serving,
  cwd: string,
  options: QuickstartOptions & { onCreated: (page: string) => void },
): Promise<boolean> {
  const repository = options.repository ?? serving.demoHost?.sampleUrl ?? ''
  const prompt = options.prompt ?? (serving.demoHost ? DEMO_PROMPT : REAL_PROMPT)
  const sources = options.repository === undefined ? (serving.demoHost?.sampleSources ?? []) : []
  const input = { repository, sources, sourceUrls: options.sources }
  const { projectId, key, isNew } = await ensureDemoProject({ env: serving.env, cwd }, input)
  screen.heading(
    `${isNew ? 'The project and its API key are ready' : 'The project exists already and has a new API key'}. In another terminal, run:`,
  )
  screen.line(`  export CORRIGENDA_URL=${serving.url}`)
  screen.line(`  export CORRIGENDA_PROJECT=${projectId}`)
  screen.line(`  export CORRIGENDA_API_KEY=${key}`)
  screen.heading('Your backend would then send this request:')
  screen.line('  curl -sS "$CORRIGENDA_URL/v2/agent/$CORRIGENDA_PROJECT/job" \\')
  screen.line('    -H "Authorization: Bearer $CORRIGENDA_API_KEY" \\')
  screen.line("    -H 'Content-Type: application/json' \\")
  screen.line(`    -d '${JSON.stringify({ prompt }).replaceAll("'", "'\\''")}'`)
  const client = openClient({ url: serving.url, key, projectId })
  const stateDir = path.resolve(cwd, STATE_FOLDER)
  // A start with a real model does not show a job of the rehearsal model.
  const task = serving.demoModel === null ? prompt : `rehearsal: ${prompt}`
  const earlier = await findEarlierJob(client, await findFirstJob(stateDir, projectId, task))
  const created = earlier ?? (await client.createJob({ prompt }))
  if (earlier === null) await saveFirstJob(stateDir, projectId, task, created.id)
  screen.heading(
    earlier === null
      ? `201 Created: ${created.id} is ${created.status}, model ${created.model}`
      : `Using the job of an earlier start: ${created.id} is ${created.status}`,
  )
  screen.line(`  Prompt: ${toPrintable(prompt)}`)
  if (serving.demoModel && earlier === null)
    screen.dim('  The rehearsal model is working on it. It is scripted and uses no AI.')
  options.onCreated(`/projects/${projectId}/jobs/${created.id}`)
  const job = await watchJob(screen, client, created.id)
  if (serving.demoModel === null && job.usage.turns > 0) screen.line(`\n${describeCost(job)}`)
  if (job.status === 'active' || job.status === 'failed') {
    screen.bad(`\nThe job ended with status ${job.status}: ${toPrintable(job.failure?.message ?? 'see the log')}`)
    return false
  }
  screen.good(`\nThe job completed (${job.outcome}).`)
  if (job.prLink === null)
    screen.line(
      `${job.outcome === 'needs_input' ? 'The agent asks' : 'No pull request was needed'}: ${toPrintable(job.summary ?? '')}`,
    )
  else {
    screen.line(`Pull request: ${job.prLink}`)
    const diff = await findDiff(serving, job)
    if (diff !== null) {
      screen.line()
      screen.diff(diff, DIFF_LINES)
    }
  }
  showNext(screen, serving, { projectId, id: job.id, prLink: job.prLink, once: options.once })
  return true
}

/** Returns the pull request's unified diff, or null if it is unavailable. */
async function findDiff(serving: Serving, job: AgentJob): Promise<string | null> {
  if (!job.pullRequest || !job.prLink) return null
  try {
    if (serving.demoHost) return await (await fetch(`${job.prLink}.diff`)).text()
    return await readPullRequestDiff(loadWorkerConfig(serving.env), job.source.repository, job.pullRequest.number)
  } catch {
    return null
  }
}

/** Returns an earlier start's job, unless it failed or no longer exists. */
async function findEarlierJob(client: Corrigenda, id: string | null): Promise<AgentJob | null> {
  if (id === null) return null
  const job = await client.getJob(id).catch((error: unknown) => {
    if (error instanceof CorrigendaError && error.status === 404) return null
    throw error
  })
  return job === null || job.status === 'failed' ? null : job
}

async function watchJob(screen: Screen, client: Corrigenda, id: string): Promise<AgentJob> {
  for await (const event of client.events(id)) screen.step(formatEvent(event))
  return client.waitForJob(id)
}

function showNext(
  screen: Screen,
  serving: Serving,
  job: { projectId: string; id: string; prLink: string | null; once: boolean },
): void {
  screen.heading('Next steps')
  if (job.once)
    screen.line('  Run the same command without --once to keep the services running, then open the links above.')
  else {
    if (serving.dashboardUrl !== null) {
      screen.line('  View the job, its transcript and its changes in the dashboard:')
      screen.line(`    ${serving.dashboardUrl}/projects/${job.projectId}/jobs/${job.id}`)
    }
    screen.line(
      `  ${job.prLink === null ? 'Poll the job' : 'Open the pull request above in a browser, or poll the job'} (with the variables above):`,
    )
    screen.line(
      `    curl -sS "$CORRIGENDA_URL/v2/agent/$CORRIGENDA_PROJECT/job/${job.id}" -H "Authorization: Bearer $CORRIGENDA_API_KEY"`,
    )
  }
  if (serving.demoModel) {
    screen.line('  Use a real model:')
    screen.line('    ANTHROPIC_API_KEY=sk-ant-… npx -y pnpm@12 quickstart')
  }
  if (serving.demoHost) {
    screen.line('  Use your own repository:')
    screen.line(
      '    GITHUB_TOKEN=… ANTHROPIC_API_KEY=… npx -y pnpm@12 quickstart --repository https://github.com/OWNER/NAME \\',
    )
    screen.line('      --source https://github.com/OWNER/CODE')
  }
  screen.line('  Create a key for your backend (in another terminal):')
  screen.line(`    npx -y pnpm@12 corrigenda key create --project ${job.projectId} --name my-backend`)
}

/** Returns the usual port, or 0 (any free port) if the usual port is in use. */
function pickPort(usual: number): Promise<string> {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', () => resolve('0'))
    probe.listen(usual, '127.0.0.1', () => probe.close(() => resolve(String(usual))))
  })
}

/**
 * Opens a URL in the local user's browser. Does nothing if no graphical session or browser is
 * available.
 * @returns true if it tried to start a browser
 */
export function openInBrowser(env: Env, url: string, platform: NodeJS.Platform = process.platform): boolean {
  const command = findCommand(env, platform)
  if (!command) return false
  const [program, ...args] = command
  // The browser must neither block this process nor exit with it.
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env })
  child.on('error', () => {})
  child.unref()
  return true
}

function findCommand(env: Env, platform: NodeJS.Platform): [string, ...string[]] | null {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['cmd', '/c', 'start', '""']
  // Without a display, xdg-open would start a text browser in the terminal.
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null
}

/**
 * Lists the values to redact from the log: variables whose names indicate a secret, and the
 * contents of the files that the corresponding `NAME_FILE` variables refer to.
 */
export function listEnvSecrets(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value) return []
    if (SECRET_NAME.test(name)) return [value]
    return name.endsWith('_FILE') && SECRET_NAME.test(name.slice(0, -'_FILE'.length)) ? readText(value) : []
  })
}

function readText(file: string): string[] {
  try {
    return [readFileSync(file, 'utf8').trim()]
  } catch {
    // Settings validation reports unreadable files.
    return []
  }
}
