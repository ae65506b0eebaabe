import type { PrismaDeps } from '../db/open-database.ts'

const EVERY_MS = 500

/**
 * Calls `onActivated` once, within a second after `corrigenda secret rotate` has made the new secret
 * the one that the database uses.
 * @param previousFingerprint fingerprint in the database before; see `InstanceSecrets`
 * @returns a function that stops watching and waits for a read in progress
 */
export function watchActivation(
  { prisma }: PrismaDeps,
  previousFingerprint: string,
  onActivated: () => void,
): () => Promise<void> {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> = Promise.resolve()
  const read = async () => {
    // While the database is unavailable, nothing can change.
    const instance = await prisma.instance.findUnique({ where: { id: 1 } }).catch(() => null)
    if (isStopped) return
    if (instance === null || instance.secretFingerprint === previousFingerprint) return wait()
    onActivated()
  }
  const wait = () => {
    timer = setTimeout(() => {
      reading = read()
    }, EVERY_MS).unref()
  }
  wait()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await reading
  }
}
