import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { toCurl } from './to-curl.ts'

test('the curl command passes any prompt through the shell unchanged', () => {
  const prompt = 'Say "it\'s $HOME `id` $(id) \\ !" \n and {"a": 1}'
  const command = toCurl({ origin: 'http://127.0.0.1:8080', projectId: 'p_1', body: { prompt } })
  // A shell function replaces curl and prints its arguments, each terminated by NUL.
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const env = { PATH: process.env.PATH ?? '', CORRIGENDA_API_KEY: 'cgd_x' }
  const words = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
  expect(words).toEqual([
    '-X',
    'POST',
    'http://127.0.0.1:8080/v2/agent/p_1/job',
    '-H',
    'Authorization: Bearer cgd_x',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify({ prompt }),
  ])
})
