import { contentRows } from './content-rows.ts'
import { hostRows } from './host-rows.ts'
import type { HostileRow } from './hostile-row.ts'
import { nameRows } from './name-rows.ts'
import { packRows } from './pack-rows.ts'
import { lazyRows, thinRows } from './thin-rows.ts'

export const hostileRows: readonly HostileRow[] = [
  ...nameRows,
  ...contentRows,
  ...packRows,
  ...thinRows,
  ...lazyRows,
  ...hostRows,
]
