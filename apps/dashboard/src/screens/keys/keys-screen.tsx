import type { DashboardKey } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Table } from '../../components/table.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { CreateKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx'
import { KEY_COLUMNS, KeyRow } from './key-row.tsx'
import './keys.css'

type Open = { readonly kind: 'create' } | { readonly kind: 'rotate' | 'revoke'; readonly key: DashboardKey } | null

/** The project's API keys. */
export function KeysScreen() {
  const projectId = useProjectId()
  const mayManage = useHasRole('member')
  const keys = useQuery({ ...keysQuery(projectId), enabled: mayManage })
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  if (!mayManage) {
    return (
      <>
        <PageHeader title="API keys" />
        <p>Only members and owners can manage API keys. Your role is viewer.</p>
      </>
    )
  }
  const list = keys.data ?? []
  // Active keys come first. Each group stays sorted newest first.
  const sorted = [...list].sort((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active'))
  const create = (
    <Button variant="primary" icon="plus" onClick={() => setOpen({ kind: 'create' })}>
      Create key
    </Button>
  )
  return (
    <>
      <PageHeader
        title="API keys"
        description="An API key gives a program access to this project, limited by the key's scopes. Each key is shown only once."
        actions={list.length > 0 ? create : null}
      />
      {keys.error ? <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} /> : null}
      {keys.isPending ? <Loading label="Loading API keys" /> : null}
      {keys.data && list.length === 0 ? (
        <div className="panel">
          <EmptyState title="No API keys yet">
            <p>
              Create a key so that a program, such as your backend, can create jobs. Users sign in instead and do not
              need a key.
            </p>
            <div>{create}</div>
          </EmptyState>
        </div>
      ) : null}
      {list.length > 0 ? (
        <div className="panel">
          <Table label="API keys" columns={KEY_COLUMNS}>
            {sorted.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                onRotate={() => setOpen({ kind: 'rotate', key })}
                onRevoke={() => setOpen({ kind: 'revoke', key })}
              />
            ))}
          </Table>
        </div>
      ) : null}
      {open?.kind === 'create' ? <CreateKeyDialog projectId={projectId} onClose={close} /> : null}
      {open?.kind === 'rotate' ? <RotateKeyDialog projectId={projectId} apiKey={open.key} onClose={close} /> : null}
      {open?.kind === 'revoke' ? <RevokeKeyDialog projectId={projectId} apiKey={open.key} onClose={close} /> : null}
    </>
  )
}
