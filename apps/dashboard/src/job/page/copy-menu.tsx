import type { AgentJob } from '@corrigenda/contracts'
import { Button } from '../../components/button.tsx'
import { copyText } from '../../components/copy-text.ts'
import { Menu } from '../../components/menu.tsx'
import { useToast } from '../../components/toast.tsx'
import { toJobMarkdown } from './to-job-markdown.ts'
import { toPlaceLink } from './to-place-link.ts'

/** Copies the job's link, its id, or its text as Markdown. */
export function CopyMenu({ job, prompt }: { job: AgentJob; prompt: string }) {
  const toast = useToast()
  const copy = async (what: string, text: string) => {
    if (await copyText(text)) toast(`${what} copied.`)
    else toast('The browser blocked copying.', 'bad')
  }
  return (
    <Menu
      trigger={
        <Button variant="quiet" icon="copy">
          Copy
        </Button>
      }
      entries={[
        { label: 'Copy link', onSelect: () => void copy('Link', toPlaceLink({})) },
        { label: 'Copy job ID', onSelect: () => void copy('Job ID', job.id) },
        {
          label: 'Copy as Markdown',
          onSelect: () => void copy('Markdown', toJobMarkdown(job, prompt, toPlaceLink({}))),
        },
      ]}
    />
  )
}
