import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_OBJECT } from '../host/types.ts'

/**
 * Update hook. While GIT_HOST_REFUSAL is set, rejects every push with its value as the message.
 * Rejects pushes to branches in GIT_HOST_PROTECTED (full ref names, one per line) with GitHub's
 * message.
 */
const UPDATE = `#!/bin/sh
if [ -n "$GIT_HOST_REFUSAL" ]; then
  printf '%s\\n' "$GIT_HOST_REFUSAL" >&2
  exit 1
fi
case "
$GIT_HOST_PROTECTED
" in *"
$1
"*)
  echo "error: GH006: Protected branch update failed for $1." >&2
  echo "error: Changes must be made through a pull request." >&2
  exit 1 ;;
esac
`

/** Post-receive hook. Logs the ref updates that git performed, for the host to read. */
const POST_RECEIVE = `#!/bin/sh
cat > "$GIT_HOST_PUSH_LOG"
`

/** Writes the hooks to a separate folder, so that the repositories contain no hooks. */
export async function writeHooks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'update'), UPDATE, { mode: 0o755 })
  await writeFile(join(folder, 'post-receive'), POST_RECEIVE, { mode: 0o755 })
}

/**
 * Returns the ref updates of one push, as logged by its post-receive hook. The result is empty if
 * no update was accepted. Removes the log.
 */
export async function takePushLog(path: string): Promise<{ ref: string; old: string; new: string }[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  await rm(path, { force: true })
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [old = NO_OBJECT, next = NO_OBJECT, ...ref] = line.split(' ')
      return { ref: ref.join(' '), old, new: next }
    })
}
