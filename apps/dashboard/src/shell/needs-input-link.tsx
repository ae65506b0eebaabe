import type { DashboardProject } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { jobsNeedingInputQuery } from '../api/jobs.ts'
import { Icon } from '../components/icon.tsx'

/** The service counts up to this number. */
const MAX = 100

/**
 * The number of jobs that the user can answer, with a link to them. Viewers cannot answer jobs.
 * @param place `item`: in the navigation; `top`: next to the menu button of phones
 */
export function NeedsInputLink({ project: { id, role }, place }: { project: DashboardProject; place: 'item' | 'top' }) {
  const mayAnswer = role !== 'viewer'
  const { data } = useQuery({ ...jobsNeedingInputQuery(id), enabled: mayAnswer })
  if (!mayAnswer || !data || data.count === 0) return null
  const text = data.count < MAX ? String(data.count) : `${MAX - 1}+`
  const label = `${text} ${data.count === 1 ? 'job needs' : 'jobs need'} input`
  return (
    <Link
      className="needs-input-link"
      data-place={place}
      to="/projects/$projectId/jobs"
      params={{ projectId: id }}
      search={{ status: 'needs_input', pr: 'open_or_none' }}
      activeProps={{ 'aria-current': undefined }}
      aria-label={label}
      title={label}
    >
      <span className="needs-input-link-count">
        <Icon name="question" />
        {text}
      </span>
    </Link>
  )
}
