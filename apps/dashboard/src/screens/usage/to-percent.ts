/** Formats a part of a whole as a percentage: "75%". Without a whole: "–". */
export const toPercent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`
