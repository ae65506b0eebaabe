import git from 'isomorphic-git'
import { buildPack, type PackEntry } from '../objects/build-pack.ts'
import { hashObject } from '../objects/hash-object.ts'
import { buildObjectFs, VIRTUAL_GITDIR } from '../objects/object-fs.ts'
import { compareEntries, type TreeEntry, type TreeMode } from '../objects/parse-tree.ts'
import { buildYielder, yieldForEntries } from '../objects/yield-to-event-loop.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import type { OverlayEntry } from '../work-tree/overlay.ts'
import { checkPath } from '../workspace/path-rules.ts'

export interface Identity {
  readonly name: string
  readonly email: string
}

interface CommitInput {
  readonly snapshot: Snapshot
  /** {@link WorkTree.overlay}, or the same entries read back from storage. */
  readonly changes: readonly OverlayEntry[]
  readonly message: string
  readonly author: Identity
  readonly committer: Identity
  /**
   * Author and committer time, in seconds since the epoch. Stored with the job, so that a repeated
   * build produces the same commit ID.
   */
  readonly timestamp: number
  /**
   * Armored signature of the commit, or a function that returns it for the bytes of the unsigned
   * commit. Null or absent: the commit is not signed.
   */
  readonly signature?: string | ((commit: Uint8Array) => string) | null
}

export interface BuiltCommit {
  readonly commit: string
  readonly tree: string
  /** Null if the commit is not signed. */
  readonly signature: string | null
  /** The base commit. */
  readonly parent: string
  /** IDs of all new objects: the commit, the blobs, and the trees along the changed paths. */
  readonly objects: readonly string[]
  /** A pack that contains exactly these objects, ready to send. */
  readonly pack: Uint8Array
}

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: Map<string, OverlayEntry>
}

/**
 * Builds, in memory, the commit that applies the changes to the snapshot. Writes only the trees
 * along the changed paths and preserves the bytes of their unchanged entries. The same input always
 * produces the same ID. Returns null if the changes do not alter the tree.
 */
export async function buildCommit(input: CommitInput): Promise<BuiltCommit | null> {
  const { snapshot, changes } = input
  const objects = new Map<string, PackEntry>()
  const write = (type: PackEntry['type'], bytes: Uint8Array): string => {
    const oid = hashObject(type, bytes)
    objects.set(oid, { type, bytes })
    return oid
  }

  const writeFolder = async (folder: Folder, baseOid: string | null): Promise<string | null> => {
    const base = baseOid === null ? null : await snapshot.readTree(baseOid)
    const kept = new Map((base?.entries ?? []).map((entry) => [entry.nameBytes.toString('latin1'), entry]))
    const parts = new Map<string, Part>()
    await yieldForEntries(kept.size)
    const yieldToEventLoop = buildYielder()
    for (const [key, entry] of kept) {
      const { mode, nameBytes, start, end } = entry
      parts.set(key, { mode, nameBytes, bytes: base?.bytes.subarray(start, end) })
      if (parts.size % 1_024 === 0) await yieldToEventLoop()
    }
    const put = (name: string, mode: TreeMode, oid: string | null) => {
      const nameBytes = Buffer.from(name)
      const key = nameBytes.toString('latin1')
      const before = kept.get(key)
      // The base may contain a different spelling of the mode.
      if (before?.oid === oid && before?.mode === mode) return
      // Changes may come from storage instead of a work tree, so new names are also checked here.
      if (oid !== null && !kept.has(key)) checkPath(name)
      if (oid === null) parts.delete(key)
      else parts.set(key, { mode, nameBytes, bytes: toEntryBytes(mode, nameBytes, oid) })
    }
    for (const [name, { mode, content }] of folder.files) put(name, mode, content && write('blob', content))
    for (const [name, below] of folder.folders) {
      const before = kept.get(Buffer.from(name).toString('latin1'))
      const beforeOid = before?.mode === '40000' ? before.oid : null
      const oid = await writeFolder(below, beforeOid)
      // Keeps a file that replaces a removed folder with the same name.
      if (oid !== null || !folder.files.get(name)?.content) put(name, '40000', oid)
    }
    if (parts.size === 0) return null
    await yieldForEntries(parts.size)
    const sorted = [...parts.values()].sort(compareEntries)
    await yieldForEntries(parts.size)
    return write('tree', Buffer.concat(sorted.map((part) => part.bytes ?? Buffer.alloc(0))))
  }

  const tree = (await writeFolder(toFolders(changes), snapshot.tree)) ?? write('tree', Buffer.alloc(0))
  if (tree === snapshot.tree) return null
  const at = { timestamp: input.timestamp, timezoneOffset: 0 }
  const fs = buildObjectFs(new Map())
  const oid = await git.writeCommit({
    fs,
    gitdir: VIRTUAL_GITDIR,
    commit: {
      message: input.message,
      tree,
      parent: [snapshot.commit],
      author: { ...toIdentity(input.author), ...at },
      committer: { ...toIdentity(input.committer), ...at },
    },
  })
  const { object } = await git.readObject({ fs, gitdir: VIRTUAL_GITDIR, oid, format: 'content' })
  const { bytes, signature } = addSignature(Buffer.from(object as Uint8Array), input.signature)
  const commit = write('commit', bytes)
  const pack = buildPack([...objects.values()].reverse())
  return { commit, tree, signature, parent: snapshot.commit, objects: [...objects.keys()].reverse(), pack }
}

function addSignature(
  bytes: Buffer,
  sign: CommitInput['signature'],
): { bytes: Buffer } & Pick<BuiltCommit, 'signature'> {
  if (sign == null) return { bytes, signature: null }
  const signature = typeof sign === 'string' ? sign : sign(bytes)
  const end = bytes.indexOf('\n\n')
  const header = Buffer.from(`\ngpgsig ${signature.replaceAll('\n', '\n ')}`)
  return { bytes: Buffer.concat([bytes.subarray(0, end), header, bytes.subarray(end)]), signature }
}

interface Part extends Pick<TreeEntry, 'mode' | 'nameBytes'> {
  readonly bytes: Buffer | undefined
}

function toFolders(changes: readonly OverlayEntry[]): Folder {
  const root: Folder = { folders: new Map(), files: new Map() }
  for (const change of changes) {
    let folder = root
    const segments = change.path.split('/')
    const name = segments.pop() ?? ''
    for (const segment of segments) {
      const below = folder.folders.get(segment) ?? { folders: new Map(), files: new Map() }
      folder.folders.set(segment, below)
      folder = below
    }
    folder.files.set(name, change)
  }
  return root
}

/** Removes characters that would terminate the field early in a commit object. */
function toIdentity({ name, email }: Identity): Identity {
  const clean = (text: string) => text.replace(/[<>\p{Cc}\s]+/gu, ' ').trim()
  return { name: clean(name), email: clean(email) }
}

function toEntryBytes(mode: string, name: Buffer, oid: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(oid, 'hex')])
}
