import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCompose } from './open-compose.ts'
import type { ReadmeCommand } from './read-commands.ts'
import type { Kind } from './recognize.ts'
import { type Env, type RunningCommand, type Shell, startCommand } from './shell.ts'
import { toVerdict, type Verdict } from './verdict.ts'

interface WalkInput {
  readonly repository: string
  /** Folder where the clone is created. */
  readonly folder: string
  readonly env: Env
  /** Runs the test command on only one test file. */
  readonly short: boolean
}

/** Runs the README commands in order. They share a clone, a quickstart and a job. */
interface Walk {
  readonly run: Readonly<Record<Kind, (command: ReadmeCommand) => Promise<Verdict>>>
  /** Stops all started processes and containers. */
  close(): Promise<void>
}

const INSTALL_MS = 15 * 60_000
const JOB_MS = 60_000

export function openWalk({ repository, folder, env, short }: WalkInput): Walk {
  const clone = path.join(folder, 'corrigenda')
  const shell: Shell = (command, more) => startCommand(command, { cwd: clone, env: { ...env, ...more } }).ended
  const compose = openCompose(shell)
  let quickstart: RunningCommand | null = null
  /** Values of the quickstart's output, by the names that the README sets. */
  const values: Record<string, string> = {}
  /** Set by the README's commands. */
  const variables: Record<string, string> = {}
  const askApi = (command: string) => shell(command, variables)

  const run: Walk['run'] = {
    async clone({ text }) {
      const local = text.replace(/https:\/\/\S+/, `'${repository}' corrigenda`)
      const result = await startCommand(local, { cwd: folder, env }).ended
      return toVerdict(result, 'cloned the newest commit of this repository')
    },

    async quickstart({ text }) {
      const started = startCommand(text, { cwd: clone, env })
      quickstart = started
      await started.waitFor(/Press Ctrl-C to stop/, INSTALL_MS)
      const find = (pattern: RegExp) => pattern.exec(started.output())?.[1] ?? ''
      const origin = find(/^ {2}API +(http:\S+)$/m)
      // The quickstart uses a different port when 8080 is in use.
      values.CORRIGENDA_URL = origin
      values.CORRIGENDA_PROJECT = find(/(prj_\w+)/)
      values.CORRIGENDA_API_KEY = find(/(cgd_\w{12}_\w+)/)
      for (const url of [origin, find(/^Pull request: (\S+)$/m)]) {
        const { status } = await fetch(url)
        if (status !== 200) throw new Error(`${url} returned ${status}`)
      }
      return {
        state: 'ok',
        text: `the dashboard at ${origin} and the pull request responded. ${find(/^(Ready in .+)$/m)}`,
      }
    },

    async 'quickstart-own-repository'({ text }) {
      const options = [...text.matchAll(/ --([a-z]+)/g)].map(([, name]) => `--${name}`)
      const { output } = await shell('npx -y pnpm@12 corrigenda quickstart --help')
      const missing = options.filter((option) => !output.includes(`${option} <`))
      if (missing.length > 0) throw new Error(`quickstart does not have these options: ${missing.join(', ')}`)
      return { state: 'skipped', text: `requires a GitHub token and a model key; only checked ${options.join(', ')}` }
    },

    async 'set-variables'({ text }) {
      const names = [...text.matchAll(/ (\w+)=/g)].map(([, name = '']) => name)
      const missing = names.filter((name) => !values[name])
      if (missing.length > 0) throw new Error(`the quickstart does not print ${missing.join(', ')}`)
      for (const name of names) variables[name] = values[name] ?? ''
      return { state: 'ok', text: `set ${names.join(', ')} to the values that the quickstart printed` }
    },

    async 'create-job'({ text }) {
      const { output } = await askApi(`${text} -w '\\n%{http_code}'`)
      if (!/\n201$/.test(output)) throw new Error(`unexpected response: ${output}`)
      variables.JOB = /"id":"(job_\w+)"/.exec(output)?.[1] ?? ''
      return { state: 'ok', text: `201, ${variables.JOB}` }
    },

    async 'read-job'({ text }) {
      const deadline = Date.now() + JOB_MS
      for (;;) {
        const { output } = await askApi(text)
        const job: { id?: string; status?: string; outcome?: string; prLink?: string } = JSON.parse(output)
        if (job.id !== variables.JOB) throw new Error(`unexpected response: ${output}`)
        if (job.status === 'completed' && job.prLink) {
          return { state: 'ok', text: `${job.status}, ${job.outcome}, ${job.prLink}` }
        }
        if (job.status !== 'active') throw new Error(`the job ended without a pull request: ${output}`)
        if (Date.now() > deadline) throw new Error(`the job is still active after ${JOB_MS / 1000} s`)
        await sleep(500)
      }
    },

    'build-image': ({ text }) => compose.run(text, 'built the image'),

    // Runs the same program without the image, which needs a Docker engine.
    async 'write-settings'() {
      const result = await shell('npx -y pnpm@12 corrigenda init --json')
      if (result.code !== 0) return toVerdict(result, '')
      const { added, missing }: Record<string, string[]> = JSON.parse(
        result.output.slice(result.output.indexOf('{"file"')),
      )
      const file = path.join(clone, '.env')
      let settings = await readFile(file, 'utf8')
      for (const name of missing ?? []) {
        const empty = new RegExp(`^${name}=$`, 'm')
        if (!empty.test(settings)) throw new Error(`.env has no empty ${name}`)
        settings = settings.replace(empty, `${name}=${randomBytes(32).toString('hex')}`)
      }
      await writeFile(file, settings)
      return { state: 'ok', text: `wrote ${added?.join(', ')}; set ${missing?.join(', ')} to random values` }
    },

    'compose-up': ({ text }) => compose.run(text, 'all services are healthy'),
    'compose-project': ({ text }) => compose.run(text, 'created a project'),
    'compose-key': async ({ text }) =>
      compose.run(text.replace('prj_…', (await compose.findProject()) ?? ''), 'created a key'),

    async test({ text }) {
      await quickstart?.interrupt()
      const result = await shell(short ? `${text} scripts/docs-site.test.ts` : text)
      const counts = /^\d+ passed, .*$/m.exec(result.output)?.[0] ?? ''
      return toVerdict(result, short ? `one test file: ${counts}` : counts)
    },

    async 'build-site'({ text }) {
      const result = await shell(text)
      return toVerdict(result, /build complete.*/.exec(result.output)?.[0] ?? '')
    },
  }
  return {
    run,
    async close() {
      await quickstart?.interrupt()
      await compose.close()
    },
  }
}
