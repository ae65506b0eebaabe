/**
 * A notation for text that some frameworks do not show as Markdown. `percent`: comments of MyST,
 * which start with a percent sign. `shortcode`: the content of a Hugo shortcode for code.
 */
export type HidingForm = 'percent' | 'shortcode'
