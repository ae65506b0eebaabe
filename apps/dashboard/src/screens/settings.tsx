import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../api/settings.ts'
import { ErrorNote } from '../components/error-note.tsx'
import { Loading } from '../components/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { useHasRole, useProjectId } from '../shell/use-project.ts'
import { BudgetsSection } from './settings/budgets-section.tsx'
import { CredentialSection } from './settings/credential-section.tsx'
import { DangerSection } from './settings/danger-section.tsx'
import { DeployTargetSection } from './settings/deploy-target-section.tsx'
import { DeploymentsSection } from './settings/deployments-section.tsx'
import { MonthlyBudgetSection } from './settings/monthly-budget-section.tsx'
import { PolicySection } from './settings/policy-section.tsx'
import { RepositorySection } from './settings/repository-section.tsx'
import { RetentionSection } from './settings/retention-section.tsx'
import { SourcesSection } from './settings/sources-section.tsx'
import { useConnectionCheck } from './settings/use-connection-check.ts'
import { WebhooksSection } from './settings/webhooks-section.tsx'
import './settings/settings.css'

/** A project's settings, for its owners. Other users see only the deployments. */
export function SettingsScreen() {
  const projectId = useProjectId()
  const isMember = useHasRole('member')
  const isOwner = useHasRole('owner')
  const { data: settings, error, refetch } = useQuery({ ...settingsQuery(projectId), enabled: isMember })
  const check = useConnectionCheck()
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
      <div className="settings">
        {isOwner ? (
          <>
            {error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
            {settings ? (
              <>
                <RepositorySection
                  key={toKey([settings.name, settings.repository, settings.baseBranch])}
                  settings={settings}
                  check={check}
                />
                <CredentialSection credential={settings.credential} onChange={check.start} />
                <SourcesSection settings={settings} check={check} />
                <PolicySection key={toKey(settings.policy)} policy={settings.policy} />
                <BudgetsSection key={toKey(settings.budgets)} budgets={settings.budgets} />
                <MonthlyBudgetSection key={`month ${settings.monthlySpend.budgetUsd}`} spend={settings.monthlySpend} />
                <RetentionSection key={toKey(settings.retention)} retention={settings.retention} />
                <DeployTargetSection
                  key={toKey([
                    settings.deployTarget,
                    settings.deployOnMerge,
                    settings.deleteBranchOnClose,
                    settings.previewUrlTemplate,
                  ])}
                  settings={settings}
                />
              </>
            ) : error ? null : (
              <Loading />
            )}
          </>
        ) : (
          <p className="muted">Only owners can see the other project settings.</p>
        )}
        <DeploymentsSection hasTarget={settings ? settings.deployTarget !== null : true} />
        {isOwner ? <WebhooksSection /> : null}
        {isOwner ? <DangerSection /> : null}
      </div>
    </>
  )
}

/**
 * Returns a component key, so that a form resets when its own settings are saved but keeps its
 * input when another section is saved.
 */
const toKey = (saved: unknown): string => JSON.stringify(saved)
