import type { AuditAction } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { toAuditSentence } from './audit-sentences.ts'

test('a sentence has the verb of the button that caused the event', () => {
  const actor = { type: 'user', id: 'usr_1', name: 'Ada' } as const
  const target = { type: 'repository', id: 'x', name: 'acme/docs' } as const
  const say = (action: AuditAction) => toAuditSentence({ action, actor, target })
  expect(say('connection_check.started')).toBe('checked the repository connection')
  expect(say('credential.deleted')).toBe('removed the access token for acme/docs')
  expect(say('github_app.deleted')).toBe('removed the GitHub App acme/docs')
  expect(say('account.provider_unlinked')).toBe('unlinked a sign-in provider')
})
