import type { AgentJob } from '@corrigenda/contracts'
import { CodeBlock } from '../../components/code-block.tsx'

/** The record as the API returns it. */
export function RawTab({ job }: { job: AgentJob }) {
  return <CodeBlock code={JSON.stringify(job, null, 2)} label="Job record as JSON" />
}
