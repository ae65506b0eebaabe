import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../../api/settings.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { DeploymentsSection } from './deployments-section.tsx'
import { OwnerSettings } from './owner-settings.tsx'
import './settings.css'

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
        <OwnerSettings key={projectId} settings={settings} />
      ) : error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}
