import { type AgentJob, toJobState } from '@corrigenda/contracts'
import { JOB_STATE_FACTS } from '../../components/job-state.ts'

/** Returns the job's prompt, outcome, pull request and summary as Markdown. */
export function toJobMarkdown(job: AgentJob, prompt: string, link: string): string {
  const { pullRequest, summary, failure } = job
  const facts = [
    `- Job: [${job.id}](${link})`,
    `- Status: ${JOB_STATE_FACTS[toJobState(job)].label}`,
    ...(pullRequest ? [`- Pull request: [#${pullRequest.number}](${pullRequest.url}) (${pullRequest.state})`] : []),
  ]
  const quote = prompt
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
  const parts = [quote, facts.join('\n'), failure ? `${failure.message} (\`${failure.code}\`)` : '', summary ?? '']
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`
}
