import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'

export interface TestRun {
  /** Root of the tree whose tests run. */
  readonly root: string
  readonly tests: readonly string[]
  /** Only tests whose full name matches. */
  readonly only?: string | undefined
  /** Test files at the same time. */
  readonly workers: number
  /** End with the first test that fails. */
  readonly stopAtFailure: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

export interface TestReport {
  readonly passed: number
  /** Tests that ran and failed: `file: full name`, and the first line of why. */
  readonly failed: readonly { readonly name: string; readonly why: string }[]
  /** What went wrong outside of tests (a file that cannot be loaded, a hook, an error nobody caught, a run that never ended); null when nothing did. */
  readonly fault: string | null
  readonly seconds: number
}

/** Longest run of one set of tests. */
const LIMIT_MS = 600_000

/** The part of vitest's JSON report that is read here. */
interface JsonReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

/** Runs tests of a tree in a vitest of its own. Failing tests are a value. */
export async function runTests(input: TestRun): Promise<TestReport> {
  const started = performance.now()
  const file = path.join(input.root, `.test-report-${process.pid}.json`)
  const args = [
    path.join(input.root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...input.tests,
    ...(input.only === undefined ? [] : ['--testNamePattern', input.only]),
    ...(input.stopAtFailure ? ['--bail', '1'] : []),
    '--maxWorkers',
    String(input.workers),
    '--reporter=json',
    `--outputFile=${file}`,
  ]
  try {
    const { code, output } = await runNode(args, input)
    // No report: vitest ended before it could write one.
    const text = existsSync(file) ? await readFile(file, 'utf8') : null
    const report: JsonReport = text === null ? { testResults: [] } : JSON.parse(text)
    const counted = countResults(report, input.root)
    const isUnexplained = text === null || (code !== 0 && counted.failed.length === 0 && counted.fault === null)
    const fault = isUnexplained ? (findLastError(output) ?? `vitest ended with ${code}`) : counted.fault
    return { ...counted, fault, seconds: (performance.now() - started) / 1000 }
  } finally {
    await rm(file, { force: true })
  }
}

function countResults(report: JsonReport, root: string): Pick<TestReport, 'passed' | 'failed' | 'fault'> {
  const tests = report.testResults.flatMap((suite) =>
    suite.assertionResults.map((test) => ({ ...test, name: `${path.relative(root, suite.name)}: ${test.fullName}` })),
  )
  const failed = tests.filter((test) => test.status === 'failed')
  const broken = report.testResults.find(
    (suite) => suite.status === 'failed' && !suite.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: failed.map(({ name, failureMessages }) => ({ name, why: toFirstLine(failureMessages?.[0] ?? '') })),
    fault: broken ? `${path.relative(root, broken.name)}: ${toFirstLine(broken.message) || 'failed'}` : null,
  }
}

function runNode(args: readonly string[], { root, env, signal }: TestRun): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: toChildEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      // SIGTERM lets vitest stop the servers it started.
      ...(signal ? { signal } : {}),
      killSignal: 'SIGTERM',
    })
    const chunks: Buffer[] = []
    const limit = setTimeout(() => child.kill('SIGTERM'), LIMIT_MS)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
    child.once('error', (error) => {
      if (!signal?.aborted) reject(error)
    })
    child.once('close', (code, killed) => {
      clearTimeout(limit)
      if (signal?.aborted) reject(signal.reason)
      else resolve({ code: code ?? killed, output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

/** Without what a vitest around this one has set. */
function toChildEnv(env: TestRun['env']): Record<string, string> {
  const outer = /^(VITEST|TEST$|MODE$|DEV$|PROD$|SSR$|BASE_URL$|NODE_ENV$)/
  const entries = Object.entries(env).filter(([name, value]) => value !== undefined && !outer.test(name))
  return { ...(Object.fromEntries(entries) as Record<string, string>), NO_COLOR: '1' }
}

const toFirstLine = (text: string): string => text.trim().split('\n')[0]?.slice(0, 200) ?? ''

const findLastError = (output: string): string | null =>
  output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /error/i.test(line))
    .at(0)
    ?.slice(0, 300) ?? null
