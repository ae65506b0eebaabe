import type { SVGProps } from 'react'

/** Drawn on a 16 px grid with 1.5 px lines. */
const PATHS = {
  archive: 'M2.500 3h11v3h-11zM3.500 6v7h9V6M6.500 8.500h3',
  arrow: 'M4 12 12 4M6 4h6v6',
  bell: 'M4 11.500V7a4 4 0 0 1 8 0v4.500l1 1H3zM6.500 14h3',
  branch:
    'M5 4.500v7M5 4.500a1.500 1.500 0 1 0 0-.01M5 13a1.500 1.500 0 1 0 0-.01M11 6.500a1.500 1.500 0 1 0 0-.01M11 8c0 2-6 1.500-6 3.500',
  check: 'm3 8.500 3.500 3.500L13 4.500',
  chevron: 'm4.500 6 3.500 4 3.500-4',
  close: 'm4 4 8 8M12 4l-8 8',
  comment: 'M3 3.500h10v7H8.500L5.500 13v-2.500H3z',
  contrast: 'M8 2.500a5.500 5.500 0 1 0 .01 0M8 2.500v11M8 5l3-1M8 8h5M8 11l3 1',
  copy: 'M5.500 5.500V3h7.500v7.500h-2.500M3 5.500h7.500V13H3z',
  dash: 'M3.500 8h9',
  chart: 'M2.500 13.500h11M4.500 13.500V9M8 13.500V3.500M11.500 13.500V6.500',
  edit: 'M3 13l.7-3L10.500 3.200l2.300 2.300L6 12.300zM9 4.700l2.300 2.300',
  down: 'M8 3v9.500M4 8.500l4 4 4-4',
  fileDown: 'M8 2.500v7M4.500 6.500 8 10l3.500-3.500M3.500 13h9',
  fileUp: 'M8 13.500v-7M4.500 9.500 8 6l3.500 3.500M3.500 3h9',
  failed: 'M5.500 2.500h5l3 3v5l-3 3h-5l-3-3v-5zM6 6l4 4M10 6l-4 4',
  filter: 'M2.500 4h11M4.500 8h7M6.500 12h3',
  jobs: 'M3 4h10M3 8h10M3 12h6',
  key: 'M6 10.500a2.500 2.500 0 1 1-.01 0M7.500 8.500 13 3M11 5l1.500 1.500M9.500 6.500 11 8',
  members:
    'M6 7.500a2.500 2.500 0 1 0-.01 0M1.500 13.500c.5-3 2-4 4.500-4s4 1 4.500 4M10.500 3a2.300 2.300 0 0 1 0 4.400M12 10c1.500.5 2.300 1.700 2.500 3.500',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  moon: 'M13 9.500A5.500 5.500 0 1 1 6.500 3 4.500 4.500 0 0 0 13 9.500z',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  operations: 'M1.500 8.500h3l2-5 3 9 2-4h3',
  up: 'M8 13V3.500M4 7.500l4-4 4 4',
  user: 'M8 7.500a2.700 2.700 0 1 0-.01 0M3 13.500c.5-3 2.300-4 5-4s4.500 1 5 4',
  plus: 'M8 3v10M3 8h10',
  question: 'M5.500 6a2.500 2.500 0 1 1 3.600 2.200C8.300 8.700 8 9 8 10M8 12.500h.01',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.500M13 2.500V5h-2.500',
  ring: 'M8 13a5 5 0 1 0-.01 0',
  search: 'M7 11.500a4.500 4.500 0 1 1 .01 0M10.500 10.500 14 14',
  settings:
    'M2.500 5h6M11.500 5h2M10 6.500a1.500 1.500 0 1 0-.01 0M2.500 11h2M7.500 11h6M6 12.500a1.500 1.500 0 1 0-.01 0',
  slash: 'M8 13.500a5.500 5.500 0 1 0-.01 0M4.200 11.800l7.600-7.600',
  sun: 'M8 10.500a2.500 2.500 0 1 0-.01 0M8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1.100 1.100M11.500 11.500l1.100 1.100M3.400 12.600l1.100-1.100M11.500 4.500l1.100-1.100',
  turning: 'M8 3a5 5 0 1 1-5 5',
  warning: 'M8 2.500 14.500 13.500h-13zM8 6.500v3M8 11.500h.01',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon next to a label. It never conveys information on its own. */
export function Icon({ name, ...rest }: { name: IconName } & SVGProps<SVGSVGElement>) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false" {...rest}>
      <path d={PATHS[name]} />
    </svg>
  )
}
