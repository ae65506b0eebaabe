import { type AgentJob, type JobEvidence, toPermalink } from '@corrigenda/contracts'
import { Disclosure } from '../../components/disclosure.tsx'
import { ExternalLink } from '../../components/external-link.tsx'

/** The lines of sources that support the change, by page. */
export function EvidenceList({ job }: { job: AgentJob }) {
  const { evidence } = job
  if (evidence.length === 0) return null
  const pages = [...new Set(evidence.map(({ page }) => page))]
  return (
    <div className="evidence" data-testid="evidence">
      <Disclosure title={`Evidence (${evidence.length})`} detail="Lines of sources that support the change" isOpen>
        {pages.map((page) => (
          <section key={page} aria-label={page}>
            <h3 className="mono">{page}</h3>
            <ul className="findings">
              {evidence
                .filter((item) => item.page === page)
                .map((item) => (
                  <li key={`${item.source} ${item.path} ${item.fromLine} ${item.toLine} ${item.note}`}>
                    <Place job={job} item={item} />
                    {item.note === '' ? null : <span dir="auto">{item.note}</span>}
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </Disclosure>
    </div>
  )
}

function Place({ job, item }: { job: AgentJob; item: JobEvidence }) {
  const { source, path, fromLine, toLine, commit } = item
  const repository = job.sources.find((one) => one.name === source)?.repository
  const lines = fromLine === toLine ? `${fromLine}` : `${fromLine}-${toLine}`
  const text = (
    <code>
      {source} {path}:{lines}
    </code>
  )
  if (repository === undefined) return text
  return <ExternalLink href={toPermalink({ repository, commit, path, fromLine, toLine })}>{text}</ExternalLink>
}
