import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { MOTLEY_FILES } from '../test-support/edit-scripts.ts'
import { runGit } from '../test-support/fixture.ts'
import { startHarness } from '../test-support/harness.ts'
import { materialize } from './materialize.ts'

const open = (host: Awaited<ReturnType<typeof startHarness>>) =>
  host.mirrors.openSnapshot({ tenant: 't', url: host.url, branch: null, token: host.token })

describe('a checkout', () => {
  it('matches a checkout created by git and has a separate gitdir without secrets', async () => {
    const files = MOTLEY_FILES.filter((file) => file.path !== 'docs/out')
    await using host = await startHarness([...files, { path: 'docs/large.txt', content: 'x'.repeat(5_000) }], {
      blobLimit: 4_000,
    })
    await using snapshot = await open(host)
    const dir = join(host.cacheDir, '..', 'job')
    await materialize({ snapshot, dir })
    expect(runGit(dir, ['status', '--porcelain', '--ignore-submodules'])).toBe('')
    expect(runGit(dir, ['rev-parse', 'HEAD'])).toBe(snapshot.commit)
    expect(runGit(dir, ['log', '--format=%H'])).toBe(snapshot.commit)
    expect(statSync(join(dir, 'scripts/run.sh')).mode & 0o111).toBeGreaterThan(0)
    expect(readFileSync(join(dir, 'docs/a/two.md'), 'utf8')).toBe('two\r\nlines\r\n')
    expect(() => runGit(dir, ['grep', '--no-index', '-r', '-a', host.token])).toThrow()
    expect(runGit(dir, ['remote'])).toBe('')
    // The packs are hard links, so they do not use additional space.
    const pack = readdirSync(join(dir, '.git/objects/pack')).find((name) => name.endsWith('.pack'))
    expect(statSync(join(dir, '.git/objects/pack', pack ?? '')).nlink).toBeGreaterThan(1)
  })

  it('can be changed without affecting the cache', async () => {
    await using host = await startHarness([{ path: 'a.md', content: 'a\n' }])
    await using snapshot = await open(host)
    const one = join(host.cacheDir, '..', 'one')
    await materialize({ snapshot, dir: one })
    writeFileSync(join(one, 'a.md'), 'changed\n')
    runGit(one, ['commit', '-q', '-a', '-m', 'x'])
    await using again = await open(host)
    expect((await again.readTree(again.tree)).entries).toHaveLength(1)
    expect(again.commit).toBe(snapshot.commit)
  })

  it('is not created in a directory that is not empty', async () => {
    await using host = await startHarness([{ path: 'a.md', content: 'a\n' }])
    await using snapshot = await open(host)
    await expect(materialize({ snapshot, dir: host.cacheDir })).rejects.toMatchObject({ code: 'build_failed' })
  })

  it('stops when the signal aborts and prints nothing', async () => {
    const files = Array.from({ length: 600 }, (_, i) => ({ path: `${i}.md`, content: `${i}\n` }))
    await using host = await startHarness(files)
    await using snapshot = await open(host)
    const dir = join(host.cacheDir, '..', 'stopped')
    await expect(materialize({ snapshot, dir, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
    expect(existsSync(dir)).toBe(false)
    const printed = vi.spyOn(console, 'error')
    const controller = new AbortController()
    const checkout = materialize({ snapshot, dir, signal: controller.signal })
    setImmediate(() => controller.abort())
    await expect(checkout).rejects.toMatchObject({ code: 'aborted' })
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
    expect(existsSync(join(dir, '599.md'))).toBe(false)
  })

  /**
   * Checks out 700 files in a process with a limit on open files. Returns the process output and
   * the directory.
   */
  const checkOutWithin = async (maxOpenFiles: number) => {
    const modules = new URL('../../dist/', import.meta.url)
    const files = Array.from({ length: 700 }, (_, i) => ({ path: `d${i % 9}/${i}.md`, content: `${i}\n` }))
    const host = await startHarness(files)
    const dir = join(host.cacheDir, '..', 'many')
    const script = `
      const { openMirrors } = await import(${JSON.stringify(new URL('snapshot/open-mirrors.js', modules).href)})
      const { materialize } = await import(${JSON.stringify(new URL('work-tree/materialize.js', modules).href)})
      const log = { info() {}, warn() {} }
      const [url, dir] = process.argv.slice(1)
      const mirrors = await openMirrors({ cacheDir: dir + '-cache', log, coldBuild: 'inline' })
      const snapshot = await mirrors.openSnapshot({ tenant: 't', url, branch: null, token: '${host.token}' })
      const outcome = await materialize({ snapshot, dir }).then(() => 'done', (error) => error.code + ' ' + error.message)
      await mirrors.close()
      process.stdout.write(outcome)`
    const command = `ulimit -n ${maxOpenFiles}; exec "${process.execPath}" --input-type=module -e "$0" "$1" "$2"`
    const child = spawn('sh', ['-c', command, script, host.url, dir], { stdio: ['ignore', 'pipe', 'pipe'] })
    const printed = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => {
      printed.stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      printed.stderr += chunk
    })
    await new Promise((resolve) => child.once('close', resolve))
    return { ...printed, dir, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() }
  }

  it('keeps at most a few hundred files open at the same time', async () => {
    await using run = await checkOutWithin(600)
    expect([run.stdout, run.stderr]).toEqual(['done', ''])
    expect(runGit(run.dir, ['status', '--porcelain'])).toBe('')
    expect(runGit(run.dir, ['ls-files']).split('\n')).toHaveLength(700)
  })

  it('reports only once, and without paths, that files could not be written', async () => {
    await using run = await checkOutWithin(100)
    expect(run.stdout).toBe('build_failed The repository files could not be written (EMFILE).')
    expect(run.stderr).toBe('')
  })
})
