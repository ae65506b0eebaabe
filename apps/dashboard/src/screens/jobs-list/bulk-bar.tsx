import type { DashboardJob } from '@corrigenda/contracts'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import type { IconName } from '../../components/icon.tsx'
import { BULK_ACTIONS, type BulkAction } from './bulk-actions.ts'
import { BulkDialog } from './bulk-dialog.tsx'

const ACTIONS = [
  ['cancel', 'slash'],
  ['retry', 'refresh'],
  ['archive', 'archive'],
] as const satisfies readonly (readonly [BulkAction, IconName])[]

interface BulkBarProps {
  readonly projectId: string
  /** The selected jobs. */
  readonly jobs: readonly DashboardJob[]
  /** Ids of all rows. */
  readonly all: readonly string[]
  readonly onSelect: (ids: readonly string[]) => void
}

interface Asked {
  readonly action: BulkAction
  /** The jobs when the dialog was opened. */
  readonly jobs: readonly DashboardJob[]
  readonly skipped: number
}

/** The number of selected jobs, and the actions for them. */
export function BulkBar({ projectId, jobs, all, onSelect }: BulkBarProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <>
      {jobs.length > 0 ? (
        <section className="bulk-bar cluster" aria-label="Selected jobs">
          <strong>{jobs.length} selected</strong>
          {ACTIONS.map(([action, icon]) => {
            const { verb, applies } = BULK_ACTIONS[action]
            const those = jobs.filter(applies)
            return (
              <Button
                key={action}
                icon={icon}
                disabled={those.length === 0}
                onClick={() => setAsked({ action, jobs: those, skipped: jobs.length - those.length })}
              >
                {`${verb} ${those.length}`}
              </Button>
            )
          })}
          {jobs.length < all.length ? (
            <Button variant="quiet" onClick={() => onSelect(all)}>
              {`Select all ${all.length}`}
            </Button>
          ) : null}
          <Button variant="quiet" onClick={() => onSelect([])}>
            Clear selection
          </Button>
        </section>
      ) : null}
      {asked ? (
        <BulkDialog
          {...asked}
          projectId={projectId}
          onClose={(failed) => {
            setAsked(null)
            if (failed) onSelect(failed)
          }}
        />
      ) : null}
    </>
  )
}
