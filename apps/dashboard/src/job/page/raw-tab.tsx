import type { AgentJob } from '@corrigenda/contracts'
import { CodeBlock } from '../../components/code-block.tsx'

/** The job record as returned by the API. */
export function RawTab({ job }: { job: AgentJob }) {
  return <CodeBlock code={JSON.stringify(job, null, 2)} label="Job record as JSON" />
}
