import { spawnSync } from 'node:child_process'

export interface GitTimes {
  readonly wallMs: number
  readonly cpuMs: number
}

/** Clones a repository's newest commit with the Git command line and lists its files. */
export function cloneWithGit(url: string, dir: string): GitTimes {
  return run('git clone --quiet --depth 1 "$REMOTE" "$DIR"; git -C "$DIR" ls-files | wc -l', { REMOTE: url, DIR: dir })
}

/** Fetches the newest commit into a clone and lists its files. */
export function fetchWithGit(dir: string): GitTimes {
  const list = 'git -C "$DIR" ls-tree -r --name-only FETCH_HEAD | wc -l'
  return run(`git -C "$DIR" fetch --quiet --depth 1 origin main; ${list}`, { DIR: dir })
}

/** The CPU time is the value reported by the shell's `times` command. */
function run(script: string, variables: Readonly<Record<string, string>>): GitTimes {
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const start = performance.now()
  const shell = spawnSync('env', [...assignments, 'bash', '-c', `set -e\n${script}\ntimes`], { encoding: 'utf8' })
  const wallMs = performance.now() - start
  if (shell.status !== 0) throw new Error(`git failed: ${shell.stderr}`)
  const seconds = [...shell.stdout.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  )
  return { wallMs, cpuMs: seconds.reduce((sum, one) => sum + one, 0) * 1000 }
}
