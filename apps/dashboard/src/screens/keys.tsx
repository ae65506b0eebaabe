import type { DashboardKey } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery } from '../api/keys.ts'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { Loading } from '../components/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { useHasRole, useProjectId } from '../shell/use-project.ts'
import { CreateKeyDialog } from './keys/create-key-dialog.tsx'
import { KEY_COLUMNS, KeyRow } from './keys/key-row.tsx'
import { RevokeKeyDialog } from './keys/revoke-key-dialog.tsx'
import { RotateKeyDialog } from './keys/rotate-key-dialog.tsx'
import './keys/keys.css'

type Open = { readonly kind: 'create' } | { readonly kind: 'rotate' | 'revoke'; readonly key: DashboardKey } | null

/** The API keys of this project. */
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
        <p>Members and owners manage the keys of this project. Your role is viewer.</p>
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
        description="A key lets a program work in this project, as far as its scopes allow. It is shown once, when it is made."
        actions={list.length > 0 ? create : null}
      />
      {keys.error ? <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} /> : null}
      {keys.isPending ? <Loading label="Reading the keys" /> : null}
      {keys.data && list.length === 0 ? (
        <div className="panel">
          <EmptyState title="No keys yet">
            <p>Programs need one to create jobs here. People sign in and need none.</p>
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
