import { MAX_SOURCES, type ProjectSettings, type ProjectSource } from '@corrigenda/contracts'
import { useState } from 'react'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { SourceRow } from './source-row.tsx'

/** The repositories that the agent may read, besides the documentation repository. */
export function SourcesSection({ settings }: { settings: ProjectSettings }) {
  const { sources, sourceCredentials } = settings
  const [edited, setEdited] = useState<ProjectSource | 'new' | null>(null)
  return (
    <Block
      title="Sources"
      id="sources"
      description="Repositories that contain the facts, such as the code of the product. The agent reads them, but never changes them. Text of a private source is not published."
      actions={
        <Button icon="plus" disabled={sources.length >= MAX_SOURCES} onClick={() => setEdited('new')}>
          Add source
        </Button>
      }
    >
      {sources.length === 0 ? (
        <p className="block-note">
          No sources yet. Without sources, the agent reads only the documentation repository.
        </p>
      ) : (
        <ul className="settings-list">
          {sources.map((source) => (
            <SourceRow
              key={source.name}
              source={source}
              credential={sourceCredentials.find((one) => one.source === source.name)}
              others={sources.filter((one) => one.name !== source.name)}
              onEdit={() => setEdited(source)}
            />
          ))}
        </ul>
      )}
      {edited === null ? null : (
        <SourceDialog source={edited === 'new' ? null : edited} sources={sources} onClose={() => setEdited(null)} />
      )}
    </Block>
  )
}
