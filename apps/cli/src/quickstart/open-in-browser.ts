import { spawn } from 'node:child_process'
import type { Env } from '@corrigenda/core/runtime'

/**
 * Opens a URL in the local user's browser. Does nothing if no graphical session or browser is
 * available.
 * @returns true if it tried to start a browser
 */
export function openInBrowser(env: Env, url: string, platform: NodeJS.Platform = process.platform): boolean {
  const command = findCommand(env, platform)
  if (!command) return false
  const [program, ...args] = command
  // The browser must neither block this process nor exit with it.
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env })
  child.on('error', () => {})
  child.unref()
  return true
}

function findCommand(env: Env, platform: NodeJS.Platform): [string, ...string[]] | null {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['cmd', '/c', 'start', '""']
  // Without a display, xdg-open would start a text browser in the terminal.
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null
}
