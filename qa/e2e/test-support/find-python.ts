import { spawnSync } from 'node:child_process'

/** Returns why the tests of the Python client cannot run on this machine, or null. */
export function findPythonProblem(): string | null {
  const check = 'import sys, venv, ensurepip; print(sys.version_info >= (3, 11))'
  const { status, stdout } = spawnSync('python3', ['-c', check], { encoding: 'utf8' })
  if (status !== 0) return 'python3 with the modules venv and ensurepip is missing'
  return stdout.trim() === 'True' ? null : 'python3 is older than 3.11'
}
