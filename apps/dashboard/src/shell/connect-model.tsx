import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { connectModel, sessionQuery } from '../api/session.ts'
import { Button } from '../components/button.tsx'
import { CodeBlock } from '../components/code-block.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { Field } from '../components/field.tsx'
import { useToast } from '../components/toast.tsx'
import { useAction } from '../components/use-action.ts'

const COMMAND = 'ANTHROPIC_API_KEY=sk-ant-… npx -y pnpm@12 quickstart'

/** How to connect a real model: the command, and in the demo a form for an API key. */
export function ConnectModel() {
  const { data: session } = useQuery(sessionQuery)
  return (
    <div className="connect-model">
      <p>Restart the service with an Anthropic API key:</p>
      <CodeBlock code={COMMAND} label="Command that starts the service with a real model" />
      {session?.mayConnectModel ? <KeyForm /> : null}
    </div>
  )
}

function KeyForm() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const [apiKey, setApiKey] = useState('')
  const connect = useAction({
    mutationFn: () => connectModel(apiKey.trim()),
    onSuccess: async () => {
      setApiKey('')
      toast('New jobs use the real model until the service stops.')
      await queryClient.invalidateQueries()
    },
    // The key must not stay in the cache.
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (apiKey.trim() !== '') connect.mutate()
  }
  return (
    <form className="block-form" onSubmit={submit}>
      <Field
        label="Or enter the key here"
        type="password"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        placeholder="sk-ant-…"
        hint="Used until the service stops. The key stays in memory and is not stored."
        value={apiKey}
        onChange={(event) => setApiKey(event.target.value)}
      />
      {connect.error ? <ErrorNote error={connect.error} /> : null}
      <div>
        <Button type="submit" busy={connect.isPending}>
          Use this key
        </Button>
      </div>
    </form>
  )
}
