import { randomBytes } from 'node:crypto'
import type { Shell } from './shell.ts'
import { toVerdict, type Verdict } from './verdict.ts'

interface Compose {
  /** Runs a `docker compose` command. Skips it if no Docker engine is available. */
  run(command: string, text: string): Promise<Verdict>
  /** Returns the id of the created project, or null if no Docker engine is available. */
  findProject(): Promise<string | null>
  /** Removes this campaign's containers and volumes. */
  close(): Promise<void>
}

const NO_ENGINE: Verdict = { state: 'skipped', text: 'no Docker engine' }

export function openCompose(shell: Shell): Compose {
  // A separate project name, so that a service started from another checkout is not affected.
  const env = { COMPOSE_PROJECT_NAME: `corrigenda-readme-${randomBytes(4).toString('hex')}`, PORT: '0' }
  let engine: Promise<boolean> | null = null
  const hasEngine = () => {
    engine ??= shell('docker info && docker compose version').then(({ code }) => code === 0)
    return engine
  }
  return {
    run: async (command, text) => ((await hasEngine()) ? toVerdict(await shell(command, env), text) : NO_ENGINE),
    async findProject() {
      if (!(await hasEngine())) return null
      const { output } = await shell('docker compose run --rm api project list --json', env)
      return /prj_\w+/.exec(output)?.[0] ?? ''
    },
    async close() {
      if (engine !== null && (await engine)) await shell('docker compose down --volumes --remove-orphans', env)
    },
  }
}
