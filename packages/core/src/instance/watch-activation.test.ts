import { expect, onTestFinished, test } from 'vitest'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { activateSecret } from './activate-secret.ts'
import { openInstance } from './open-instance.ts'
import { watchActivation } from './watch-activation.ts'

test('a process notices once that a rotation has activated the new secret', async () => {
  const database = await openOwnTestDatabase()
  const [secret, previousSecret] = ['new'.repeat(16), 'old'.repeat(16)]
  await openInstance(database, { secret: previousSecret, previousSecret: null })
  const { previousFingerprint } = await openInstance(database, { secret, previousSecret })
  expect(previousFingerprint).not.toBeNull()
  let [activations, stopped] = [0, 0]
  const watch = (count: () => void) => watchActivation(database, previousFingerprint ?? '', count)
  onTestFinished(watch(() => (activations += 1)))
  const stop = watch(() => (stopped += 1))
  expect(activations).toBe(0)
  await stop()
  await activateSecret(database, { secret, previousSecret })
  await expect.poll(() => activations).toBe(1)
  expect(stopped).toBe(0)
  expect((await openInstance(database, { secret, previousSecret })).previousFingerprint).toBeNull()
})
