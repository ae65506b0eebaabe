import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { createProject, projectsQuery } from '../../api/projects.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Table } from '../../components/table.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useAction } from '../../components/use-action.ts'
import { useRowKeys } from '../../keyboard/use-row-keys.ts'
import { ROLE_FACTS, useUser } from '../../shell/use-project.ts'

const COLUMNS = [
  { title: 'Project' },
  { title: 'Repository' },
  { title: 'Your role' },
  { title: 'Active jobs', numeric: true },
  { title: 'Created' },
]

/** All projects that the user can access. */
export function ProjectsScreen() {
  const projects = useQuery(projectsQuery)
  const user = useUser()
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const list = projects.data ?? []
  const open = useCallback(
    (index: number) => {
      const projectId = projects.data?.[index]?.id
      if (projectId) void navigate({ to: '/projects/$projectId/jobs', params: { projectId } })
    },
    [projects.data, navigate],
  )
  const chosen = useRowKeys({ count: list.length, noun: 'project', onOpen: open })
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      Create project
    </Button>
  )
  return (
    <>
      <PageHeader title="Projects" actions={user?.isAdmin && list.length > 0 ? create : null} />
      {projects.error ? <ErrorNote error={projects.error} onRetry={() => void projects.refetch()} /> : null}
      {projects.isPending ? <Loading /> : null}
      {projects.data && list.length === 0 ? (
        <div className="panel">
          <EmptyState title="No projects yet">
            <p>A project is one documentation repository with its own API keys, members and jobs.</p>
            {user?.isAdmin ? <div>{create}</div> : <p>Ask a project owner for an invitation.</p>}
          </EmptyState>
        </div>
      ) : null}
      {list.length > 0 ? (
        <div className="panel">
          <Table label="Projects" columns={COLUMNS}>
            {list.map((project, index) => (
              <tr key={project.id} data-testid="project-row" data-selected={index === chosen ? '' : undefined}>
                <td className="breakable">
                  <Link to="/projects/$projectId/jobs" params={{ projectId: project.id }}>
                    <strong>{project.name}</strong>
                  </Link>
                </td>
                <td data-label="Repository" className="mono breakable">
                  {project.repository.replace(/^https?:\/\//, '')}
                </td>
                <td data-label="Your role">{ROLE_FACTS[project.role].name}</td>
                <td data-label="Active jobs" data-numeric="">
                  {project.activeJobs}
                </td>
                <td data-label="Created">
                  <RelativeTime at={project.createdAt} />
                </td>
              </tr>
            ))}
          </Table>
        </div>
      ) : null}
      {isCreating ? <CreateProjectDialog onClose={() => setCreating(false)} /> : null}
    </>
  )
}

/** Creates a project and opens its setup guide. */
function CreateProjectDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const create = useAction({
    mutationFn: createProject,
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      await navigate({ to: '/projects/$projectId/setup-guide', params: { projectId: id } })
    },
  })
  return (
    <FormDialog
      title="Create project"
      action="Create project"
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(read) => {
        const baseBranch = read('baseBranch').trim() || null
        create.mutate({ name: read('name'), repository: read('repository'), baseBranch })
      }}
    >
      <Field label="Name" name="name" required maxLength={100} autoComplete="off" placeholder="Product docs" />
      <Field
        label="Repository"
        name="repository"
        type="url"
        required
        autoComplete="off"
        spellCheck={false}
        placeholder="https://github.com/acme/docs"
      />
      <Field
        label="Base branch"
        name="baseBranch"
        autoComplete="off"
        spellCheck={false}
        placeholder="Default branch"
        hint="Jobs start from this branch, and their pull requests target it."
      />
    </FormDialog>
  )
}
