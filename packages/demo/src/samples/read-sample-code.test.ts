import { describe, expect, it } from 'vitest'
import { readSampleCode } from './read-sample-code.ts'
import { readSampleDocs } from './read-sample-docs.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const commits = readSampleCode(NOW)

/** The files after each commit. */
const states = commits.map((_, index) => {
  const state = new Map<string, string>()
  for (const { files } of commits.slice(0, index + 1)) {
    for (const [path, file] of files) {
      if (file === null) state.delete(path)
      else state.set(path, file.data)
    }
  }
  return state
})
const latest = states.at(-1) ?? new Map()
const all = (state: ReadonlyMap<string, string> | undefined) => [...(state?.values() ?? [])].join('\n')
const docs = [...readSampleDocs()].map(([, { data }]) => data).join('\n')

describe('the sample code', () => {
  it('has recent commits, each of which changes files', () => {
    expect(commits.length).toBeGreaterThan(3)
    for (const [index, { at, message, files }] of commits.entries()) {
      const age = (NOW.getTime() - at.getTime()) / 86_400_000
      expect(age).toBeGreaterThan(0)
      if (index > 0) {
        expect(age, message).toBeLessThan(14)
        expect(at.getTime(), message).toBeGreaterThan(commits[index - 1]?.at.getTime() ?? 0)
      }
      const before = states[index - 1]
      for (const [path, file] of files)
        expect(before?.get(path), `${message}: ${path}`).not.toBe(file?.data ?? undefined)
    }
  })

  it('adds a flag and renames a command, which the documentation does not contain', () => {
    expect(all(states[0])).not.toContain('"json", false')
    expect(all(latest)).toContain('"json", false')
    expect(docs).not.toContain('`--json`')
    expect(states[0]?.has('internal/cli/doctor.go')).toBe(true)
    expect(latest.has('internal/cli/doctor.go')).toBe(false)
    expect(docs).toContain('tidewater doctor')
    expect(docs).not.toContain('tidewater check')
  })

  it('has the flags that the documentation describes', () => {
    for (const page of ['run', 'list', 'logs']) {
      const text = readSampleDocs().get(`cli/${page}.mdx`)?.data ?? ''
      const flags = [...text.matchAll(/^\| `--([\w-]+)/gm)].map(([, flag]) => flag)
      expect(flags.length).toBeGreaterThan(3)
      const code = `${latest.get(`internal/cli/${page}.go`)}${latest.get('internal/cli/root.go')}`
      for (const flag of flags) expect(code, `${page} --${flag}`).toContain(`"${flag}"`)
    }
  })

  it('calls only functions that a file declares', () => {
    const go = [...latest].filter(([path]) => path.startsWith('internal/cli/')).map(([, text]) => text)
    const called = new Set(all(latest).match(/\bnew[A-Z]\w+(?=\(&g\))/g))
    expect(called.size).toBeGreaterThan(4)
    for (const name of called) expect(go.join('\n')).toContain(`func ${name}(`)
  })
})
