import { MAX_SOURCES, type ProjectSettings, type ProjectSource } from '@corrigenda/contracts'
import { useState } from 'react'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { SourceRow } from './source-row.tsx'
import type { ConnectionCheck } from './use-connection-check.ts'

/** The repositories that the agent may read, besides the documentation repository. */
export function SourcesSection({ settings, check }: { settings: ProjectSettings; check: ConnectionCheck }) {
  const { sources, sourceCredentials } = settings
  const [edited, setEdited] = useState<ProjectSource | 'new' | null>(null)
  return (
    <Block
      title="Sources"
      id="sources"
      description="Repositories that contain the facts, such as the code of the product. The agent reads them, but never changes them. A change that copies text of a private source is refused."
      actions={
        <>
          {sources.length > 0 ? (
            <Button icon="refresh" busy={check.isOpen} onClick={check.start}>
              Check connection
            </Button>
          ) : null}
          <Button icon="plus" disabled={sources.length >= MAX_SOURCES} onClick={() => setEdited('new')}>
            Add source
          </Button>
        </>
      }
    >
      {sources.length === 0 ? (
        <p className="block-note muted">
          No sources yet. Without sources, the agent reads only the documentation repository.
        </p>
      ) : (
        <ul className="stack gap-0">
          {sources.map((source) => (
            <SourceRow
              key={source.name}
              source={source}
              credential={sourceCredentials.find((one) => one.source === source.name)}
              step={check.test?.steps.find((step) => step.source === source.name)}
              others={sources.filter((one) => one.name !== source.name)}
              onEdit={() => setEdited(source)}
              onChange={check.start}
            />
          ))}
        </ul>
      )}
      {edited === null ? null : (
        <SourceDialog
          source={edited === 'new' ? null : edited}
          sources={sources}
          onSaved={check.start}
          onClose={() => setEdited(null)}
        />
      )}
    </Block>
  )
}
