import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { useProject, useProjectId } from './use-project.ts'

interface ExamplePromptsProps {
  readonly title?: string
  /** Called with the chosen prompt. Default: opens New job with it. */
  readonly onChoose?: ((prompt: string) => void) | undefined
}

/** Prompts that work in the demo's sample repository. Nothing for other repositories. */
export function ExamplePrompts({ title = 'Try one of these', onChoose }: ExamplePromptsProps) {
  const projectId = useProjectId()
  const project = useProject()
  const { data: session } = useQuery(sessionQuery)
  if (!session?.demo || !project || !isSample(project.repository)) return null
  return (
    <section className="example-prompts" aria-label="Examples" data-fills={onChoose ? true : undefined}>
      <h2>{title}</h2>
      <ul className="cluster">
        {SUGGESTED_PROMPTS.map(({ prompt }) => (
          <li key={prompt}>
            {onChoose ? (
              <button type="button" className="example-prompt" onClick={() => onChoose(prompt)}>
                {prompt}
              </button>
            ) : (
              <Link
                className="example-prompt"
                to="/projects/$projectId/jobs/new"
                params={{ projectId }}
                search={{ prompt }}
              >
                {prompt}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const isSample = (url: string) => URL.canParse(url) && /^\/tidewater\/docs$/.test(new URL(url).pathname)
