import { expect, test } from 'vitest'
import { openLog } from './open-log.ts'

test('redacts secrets anywhere in a log line', () => {
  const lines: string[] = []
  const log = openLog({
    level: 'info',
    secrets: ['pass"word-123', 'postgresql://u:hunter2hunter2@h/db'],
    destination: { write: (l) => void lines.push(l) },
  })
  const key = `cgd_${'a'.repeat(12)}_${'b'.repeat(38)}`
  log.info(
    { url: 'redis://default:s3cr3t-value@host:1', header: 'Bearer abcdefghijklmnopqrstuvwx', key },
    `said pass"word-123`,
  )
  log.error(
    new Error(
      `connect postgresql://u:hunter2hunter2@h/db with sk-ant-REDACTED and ghp_${'x'.repeat(36)} glpat-${'z'.repeat(20)} whsec_${'y'.repeat(32)}`,
    ),
  )
  const text = lines.join('')
  for (const secret of ['word-123', 'hunter2', 's3cr3t', 'abcdefghijkl', key, 'sk-ant-api', 'ghp_', 'glpat-', 'whsec_'])
    expect(text).not.toContain(secret)
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
})

test('the pretty format is one line of text without secrets, and the stack of an error', () => {
  const lines: string[] = []
  const log = openLog({
    level: 'info',
    format: 'pretty',
    secrets: ['pass"word-123'],
    name: 'worker',
    destination: { write: (line) => void lines.push(line) },
  })
  log.info({ attempt: 1 }, 'claimed with pass"word-123')
  log.error(new Error('It broke.'))
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d INFO worker: claimed with \[redacted\] attempt=1\n$/)
  expect(lines[1]).toMatch(/ERROR worker: It broke\.\nError: It broke\.\n +at /)
})
