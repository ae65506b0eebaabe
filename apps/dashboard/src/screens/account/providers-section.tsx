import type { LinkedProvider, ProviderName } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery, linkProvider, unlinkProvider } from '../../api/account.ts'
import { sessionQuery } from '../../api/session.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { asksForSignIn, FreshSignInDialog } from '../../shell/fresh-sign-in-dialog.tsx'
import { toSignInName } from '../../shell/sign-in-ways.tsx'

type ProviderChange = { readonly provider: ProviderName; readonly isLinked: boolean }

/** The user's linked provider accounts. Renders nothing if no provider is configured. */
export function ProvidersSection({ problem }: { problem: string | null }) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const { data: account } = useQuery(accountQuery)
  const { data: session } = useQuery(sessionQuery)
  const [pending, setPending] = useState<ProviderChange | null>(null)
  const change = useAction({
    mutationFn: async ({ provider, isLinked }: ProviderChange) => {
      if (isLinked) return unlinkProvider(provider)
      const { url } = await linkProvider(provider)
      window.location.assign(url)
    },
    onSuccess: async (_response, { provider, isLinked }) => {
      if (!isLinked) return
      toast(`${name(provider)} unlinked.`)
      await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
    onError: (error, requested) => {
      if (asksForSignIn(error)) setPending(requested)
    },
  })
  if (!account || !session || account.providers.length === 0) return null
  const name = (provider: ProviderName) => toSignInName(provider, session.signIn)
  const error = change.error && !asksForSignIn(change.error) ? change.error : change.isPending ? null : problem
  return (
    <Block title="Linked accounts" id="linked-accounts" description="External accounts that you can sign in with.">
      <div className="block-body">
        {error ? <ErrorNote error={error} /> : null}
        <ul className="account-providers">
          {account.providers.map((one) => (
            <Provider
              key={one.provider}
              name={name(one.provider)}
              linked={one}
              busy={change.isPending && change.variables.provider === one.provider}
              onChange={() => change.mutate({ provider: one.provider, isLinked: one.linkedAt !== null })}
            />
          ))}
        </ul>
      </div>
      {pending ? (
        <FreshSignInDialog
          onClose={() => setPending(null)}
          onConfirmed={() => {
            setPending(null)
            change.mutate(pending)
          }}
        />
      ) : null}
    </Block>
  )
}

function Provider(props: { name: string; linked: LinkedProvider; busy: boolean; onChange: () => void }) {
  const { name, linked, busy, onChange } = props
  return (
    <li className="spread" data-testid="provider-row">
      <span className="breakable">
        <strong>{name}</strong>{' '}
        <span className="muted">
          {linked.linkedAt === null ? (
            'Not linked'
          ) : (
            <>
              Linked <RelativeTime at={linked.linkedAt} />
            </>
          )}
        </span>
      </span>
      <Button busy={busy} onClick={onChange} aria-label={`${linked.linkedAt === null ? 'Link' : 'Unlink'} ${name}`}>
        {linked.linkedAt === null ? 'Link' : 'Unlink'}
      </Button>
    </li>
  )
}
