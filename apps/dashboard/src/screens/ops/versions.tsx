import type { OpsState } from '@corrigenda/contracts'
import { Badge } from '../../components/badge.tsx'
import { Block } from '../../components/block.tsx'
import { CodeBlock } from '../../components/code-block.tsx'

/** The running version and the state of the database migrations. */
export function Versions({ version, migrations }: Pick<OpsState, 'version' | 'migrations'>) {
  const { applied, pending } = migrations
  return (
    <Block title="Version">
      <div className="block-body">
        <dl className="ops-facts">
          <dt>Corrigenda</dt>
          <dd>{version}</dd>
          <dt>Migrations</dt>
          <dd>
            <span className="cluster">
              {applied} applied
              {pending.length === 0 ? (
                <Badge icon="check" tone="ok">
                  None pending
                </Badge>
              ) : (
                <Badge icon="warning" tone="warn">{`${pending.length} pending`}</Badge>
              )}
            </span>
          </dd>
        </dl>
        {pending.length > 0 ? (
          <>
            <p>These migrations have not been applied: {pending.join(', ')}. Apply them with:</p>
            <CodeBlock code="npx -y pnpm@12 corrigenda migrate" label="Command that applies migrations" />
          </>
        ) : null}
      </div>
    </Block>
  )
}
