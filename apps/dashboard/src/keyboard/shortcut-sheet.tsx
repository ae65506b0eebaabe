import { Dialog } from '../components/dialog.tsx'
import type { Shortcut } from './shortcuts.tsx'

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)

/** The list of keyboard shortcuts on this page. */
export function ShortcutSheet({ shortcuts, onClose }: { shortcuts: readonly Shortcut[] | null; onClose: () => void }) {
  return (
    <Dialog open={shortcuts !== null} onClose={onClose} title="Keyboard shortcuts">
      <dl className="shortcut-sheet">
        <div>
          <dt>
            <kbd>{IS_MAC ? '⌘' : 'Ctrl'}</kbd>
            <kbd>K</kbd>
          </dt>
          <dd>Open the command palette</dd>
        </div>
        {(shortcuts ?? []).map(({ keys, label }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
