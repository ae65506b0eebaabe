import type { FileChange } from '@corrigenda/contracts'
import { useMemo } from 'react'
import { buildFileTree, type TreeNode } from '../patch/build-file-tree.ts'
import { LineCounts } from './line-counts.tsx'
import './file-tree.css'

export interface FileTreeProps {
  readonly files: readonly FileChange[]
  /** Index of the visible file. */
  readonly current: number | null
  readonly onChoose: (index: number) => void
}

/** The changed files, grouped by folder. Clicking a name scrolls to the file. */
export function FileTree({ files, current, onChoose }: FileTreeProps) {
  const nodes = useMemo(() => buildFileTree(files), [files])
  return (
    <nav className="file-tree" aria-label="Changed files">
      <TreeLevel nodes={nodes} current={current} onChoose={onChoose} />
    </nav>
  )
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
              <span className="file-tree-name" data-status={node.file.status} title={node.file.path}>
                {node.name}
              </span>
              <LineCounts {...node.file} />
            </button>
          </li>
        ),
      )}
    </ul>
  )
}
