import { RunSource } from '@corrigenda/contracts'
import { z } from 'zod'

/**
 * Parses the `runs.sources` column. Null: the sources are not pinned.
 * @throws ZodError for a source of a newer version, which this version could read or publish from
 * differently
 */
export const toRunSources = (stored: unknown): RunSource[] | null => z.array(RunSource).nullable().parse(stored)
