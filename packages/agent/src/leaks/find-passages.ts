import type { AddedStream } from './added-stream.ts'
import type { Match } from './build-passage-index.ts'
import { buildFileLines } from './file-lines.ts'
import { findJoined } from './find-joined.ts'
import { findLineRuns } from './find-line-runs.ts'
import type { Passage } from './passage.ts'
import type { SqueezedFile } from './squeeze-file.ts'
import { toSourceText } from './squeeze-text.ts'

/** Minimum number of letters and digits that a passage has in total. */
const MIN_TOTAL = 60

/**
 * Finds the passages of a file that the added text repeats: lines that follow each other in the file,
 * or characters without a line break. The parts of a passage may be anywhere in the added text.
 */
export function findPassages(
  stream: AddedStream,
  bytes: Uint8Array,
  file: SqueezedFile,
  matches: readonly Match[],
): Passage[] {
  if (matches.reduce((sum, { start, end }) => sum + end - start, 0) < MIN_TOTAL) return []
  const lines = buildFileLines(file, toSourceText(bytes) ?? '')
  return [...findLineRuns(stream, lines, matches), ...findJoined(stream, lines, matches)]
}
