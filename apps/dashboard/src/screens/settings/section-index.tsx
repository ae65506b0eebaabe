import { Link } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/menu.tsx'
import { useProjectId } from '../../shell/use-project.ts'

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

/** The sections of the settings: a list next to them, or a menu on narrow windows. */
export function SectionIndex() {
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
