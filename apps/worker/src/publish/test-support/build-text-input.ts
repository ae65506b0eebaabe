import { buildCommitMessage } from '../build-commit-message.ts'
import { buildPullRequestText, type PullRequestTextInput } from '../build-pull-request-text.ts'

export const JOB_URL = 'https://corrigenda.test/jobs/job_01'

export function buildTextInput(some: Partial<PullRequestTextInput> = {}): PullRequestTextInput {
  return {
    jobId: 'job_01',
    jobUrl: JOB_URL,
    prompt: 'Document the new `--json` flag',
    requestedTitle: null,
    titlePattern: null,
    date: '2026-11-21',
    title: 'Document the --json flag',
    body: 'Added a section about `--json`.\n\n- in the reference',
    changes: [{ path: 'docs/cli.md', kind: 'modified', added: 12, removed: 1 }],
    checks: [
      { name: 'links', status: 'passed', introduced: 0, preexisting: 3, findings: [] },
      {
        name: 'syntax',
        status: 'failed',
        introduced: 1,
        preexisting: 0,
        findings: [{ file: 'docs/cli.md', line: 7, message: 'unclosed <Card>' }],
      },
    ],
    code: [],
    evidence: [],
    sources: [],
    hasDetails: true,
    flags: ['docs/cli.md shows a new image from https://images.test/a.png'],
    instructionsUsed: ['AGENTS.md'],
    model: 'claude-opus-5',
    usage: { inputTokens: 1000, outputTokens: 200, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.1234, turns: 4 },
    knownSecrets: [],
    ...some,
  }
}

/** Builds the texts of a pull request and the message of its commit. */
export function buildTexts(input: PullRequestTextInput) {
  const { title, body } = buildPullRequestText(input)
  const commitMessage = buildCommitMessage({ ...input, title, coAuthors: [], signedOffBy: null })
  return { title, body, commitMessage }
}
