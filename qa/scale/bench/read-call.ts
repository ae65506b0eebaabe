import { parseArgs } from 'node:util'

export const USAGE = `Usage: pnpm bench scale [options]

Measures API requests, pages and the work of workers on a database with many jobs, as a ratio to the same on a copy without them.
  --jobs N            number of jobs (default 1000000)
  --transcript-kb N   size of a job's transcript (default 4)
  --samples N         measurements of each operation per database (default 200)
  --only TEXT         only operations whose name contains this text
  --dir FOLDER        parent folder for the data, which is removed at the end (default: the temporary folder)`

export interface Call {
  readonly jobs: number
  readonly transcriptKb: number
  readonly samples: number
  readonly only: string | undefined
  readonly dir: string | undefined
}

const LIMITS = { jobs: [1_000, 10_000_000], 'transcript-kb': [1, 1_000], samples: [20, 10_000] } as const

/** Reads the arguments of `pnpm bench scale`. */
export function readCall(args: readonly string[]): Call | 'help' | { problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        jobs: { type: 'string', default: '1000000' },
        'transcript-kb': { type: 'string', default: '4' },
        samples: { type: 'string', default: '200' },
        only: { type: 'string' },
        dir: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) return 'help'
    const number = (name: keyof typeof LIMITS): number => {
      const value = Number(values[name])
      const [min, max] = LIMITS[name]
      if (Number.isInteger(value) && value >= min && value <= max) return value
      throw new Error(`--${name} must be a whole number from ${min} to ${max}.`)
    }
    return {
      jobs: number('jobs'),
      transcriptKb: number('transcript-kb'),
      samples: number('samples'),
      only: values.only,
      dir: values.dir,
    }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
