import { contentRows } from './content-rows.ts'
import { hostRows } from './host-rows.ts'
import type { HostileRow } from './hostile-row.ts'
import { packRows } from './pack-rows.ts'
import { lazyRows, thinRows } from './thin-rows.ts'
import { treeRows } from './tree-rows.ts'

export const hostileRows: readonly HostileRow[] = [
  ...treeRows(),
  ...contentRows,
  ...packRows,
  ...thinRows,
  ...lazyRows,
  ...hostRows,
]
