import { expect, it } from 'vitest'
import { exposesSecrets } from './test-workflow-secrets.ts'

/** An expression, which is not a placeholder of a template string. */
const toExpression = (text: string) => `$\{{ ${text} }}`
const JOB = `jobs:\n  build:\n    steps:\n      - run: ./build\n        env:\n          TOKEN: ${toExpression('secrets.TOKEN')}\n`
const on = (triggers: string, jobs = JOB) => exposesSecrets(`on: ${triggers}\n${jobs}`, 'corrigenda/job_1')

it.each([
  ['push'],
  ['[push, workflow_dispatch]'],
  ['{ push: {} }'],
  ['{ push: }'],
  ['pull_request'],
  ['{ pull_request: { branches: [main] } }'],
  ['pull_request_target'],
  ['{ push: { branches: ["**"] } }'],
  ['{ push: { branches: ["corrigenda/**"] } }'],
  ['{ push: { branches: ["!main", "**"] } }'],
  ['{ push: { branches-ignore: [main] } }'],
])('reports secrets of a workflow that runs on %s', (triggers) => {
  expect(on(triggers)).toBe(true)
})

it.each([
  ['workflow_dispatch'],
  ['{ push: { branches: [main] } }'],
  ['{ push: { branches: ["*"] } }'],
  ['{ push: { branches: ["**", "!corrigenda/**"] } }'],
  ['{ push: { branches-ignore: ["corrigenda/**"] } }'],
  ['{ push: { tags: ["v*"] } }'],
  ['{ schedule: [{ cron: "0 0 * * *" }] }'],
])('does not report secrets of a workflow that runs on %s', (triggers) => {
  expect(on(triggers)).toBe(false)
})

it.each([
  ['no secrets', 'jobs: { build: { steps: [] } }', false],
  ["only the workflow's own token", JOB.replace('secrets.TOKEN', 'secrets.GITHUB_TOKEN'), false],
  ['secrets in an environment', JOB.replace('steps:', 'environment: docs\n    steps:'), false],
  ['secrets by name', JOB.replace('secrets.TOKEN', "secrets['TOKEN']"), true],
  ['inherited secrets', 'jobs: { build: { uses: ./a.yml, secrets: inherit } }', true],
  ['secrets for all jobs', `env: { TOKEN: "${toExpression('secrets.TOKEN')}" }\njobs: {}`, true],
  ['text that is not YAML', 'jobs: [', false],
])('judges a workflow with %s', (_, jobs, expected) => {
  expect(on('push', jobs)).toBe(expected)
})
