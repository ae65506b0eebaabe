import type { FileChange } from '@corrigenda/contracts'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { Icon } from '../../components/icon.tsx'
import { buildFileTree, type TreeNode } from '../patch/build-file-tree.ts'
import { LineCounts } from './line-counts.tsx'

interface FileTreeProps {
  readonly files: readonly FileChange[]
  /** Index of the visible file. */
  readonly current: number | null
  readonly isViewed: (index: number) => boolean
  readonly onChoose: (index: number) => void
}

/** The changed files, grouped by folder. Clicking a name scrolls to the file. */
export function FileTree({ files, ...rest }: FileTreeProps) {
  const nodes = useMemo(() => buildFileTree(files), [files])
  const tree = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (tree.current && rest.current !== null) keepInView(tree.current, tree.current.querySelector('[aria-current]'))
  }, [rest.current])
  return (
    <nav ref={tree} className="file-tree" aria-label="Changed files">
      <TreeLevel nodes={nodes} {...rest} />
    </nav>
  )
}

/** Scrolls only the tree. `scrollIntoView` would also scroll the page. */
function keepInView(tree: HTMLElement, entry: Element | null): void {
  if (!entry) return
  const [outer, inner] = [tree.getBoundingClientRect(), entry.getBoundingClientRect()]
  if (inner.top < outer.top) tree.scrollTop += inner.top - outer.top - outer.height / 3
  else if (inner.bottom > outer.bottom) tree.scrollTop += inner.bottom - outer.bottom + outer.height / 3
}

function TreeLevel({ nodes, ...rest }: { nodes: readonly TreeNode[] } & Omit<FileTreeProps, 'files'>) {
  return (
    <ul className="file-tree-level">
      {nodes.map((node) =>
        node.kind === 'folder' ? (
          <li key={node.path}>
            <p className="file-tree-folder">{node.name}/</p>
            <TreeLevel nodes={node.children} {...rest} />
          </li>
        ) : (
          <li key={node.index}>
            <button
              type="button"
              className="file-tree-file"
              aria-current={rest.current === node.index ? 'true' : undefined}
              onClick={() => rest.onChoose(node.index)}
            >
              <span className="file-tree-name breakable" data-status={node.file.status} title={node.file.path}>
                {node.name}
              </span>
              {rest.isViewed(node.index) ? (
                <>
                  <Icon name="check" />
                  <span className="sr-only">viewed,</span>
                </>
              ) : null}
              <LineCounts {...node.file} />
            </button>
          </li>
        ),
      )}
    </ul>
  )
}
