import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { settingsQuery } from '../../api/settings.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { Menu } from '../../components/menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { DeploymentsSection } from './deployments-section.tsx'
import { OwnerSettings } from './owner-settings.tsx'
import './settings.css'

const SECTIONS = [
  { id: 'repository', title: 'Repository' },
  { id: 'credential', title: 'Credential' },
  { id: 'sources', title: 'Sources' },
  { id: 'policy', title: 'Policy' },
  { id: 'budgets', title: 'Budgets' },
  { id: 'monthly-budget', title: 'Monthly budget' },
  { id: 'retention', title: 'Data retention' },
  { id: 'deployment', title: 'Deployment' },
  { id: 'deployments', title: 'Recent deployments' },
  { id: 'webhooks', title: 'Webhooks' },
  { id: 'danger', title: 'Danger zone' },
] as const

/** A project's settings, for its owners. Other users see only the deployments. */
export function SettingsScreen() {
  const projectId = useProjectId()
  const isMember = useHasRole('member')
  const isOwner = useHasRole('owner')
  const { data: settings, error, refetch } = useQuery({ ...settingsQuery(projectId), enabled: isMember })
  return (
    <>
      <PageHeader
        title="Settings"
        description={
          settings?.changedAt ? (
            <>
              Last changed <RelativeTime at={settings.changedAt} />
              {settings.changedBy ? ` by ${settings.changedBy}` : ''}.
            </>
          ) : undefined
        }
      />
      {!isOwner ? (
        <div className="settings stack gap-5">
          <p className="muted">Only owners can see the other project settings.</p>
          <DeploymentsSection hasTarget={settings ? settings.deployTarget !== null : true} />
        </div>
      ) : settings ? (
        <div className="settings-columns">
          <SectionIndex />
          <OwnerSettings key={projectId} settings={settings} />
        </div>
      ) : error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

/** The sections of the settings: a list next to them, or a menu on narrow windows. */
function SectionIndex() {
  const projectId = useProjectId()
  return (
    <div className="settings-index">
      <nav aria-label="Sections" className="settings-index-list">
        {SECTIONS.map(({ id, title }) => (
          <Link
            key={id}
            to="/projects/$projectId/settings"
            params={{ projectId }}
            hash={id}
            replace
            activeOptions={{ includeHash: true }}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div className="settings-index-menu">
        <Menu
          trigger={<Button icon="chevron">Go to section</Button>}
          entries={SECTIONS.map(({ id, title }) => ({
            id,
            label: title,
            onSelect: () => document.getElementById(id)?.scrollIntoView(),
          }))}
        />
      </div>
    </div>
  )
}
