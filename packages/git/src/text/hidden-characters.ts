/**
 * Matches characters that are invisible or change how others are displayed: bidirectional controls,
 * zero-width characters, tags, fillers and variation selectors. They can hide text from reviewers.
 * Does not match joiners, which some scripts and emoji require, the emoji variation selector after
 * an emoji, and the number signs of Arabic, Syriac and Kaithi, which are visible.
 */
export const HIDDEN_CHARACTERS =
  /\u034F|[\u115F\u1160\u3164\uFFA0]|[\uFE00-\uFE0E]|[\u{E0100}-\u{E01EF}]|(?<!\p{Emoji})\uFE0F|(?!\u200C|\u200D|[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])\p{Cf}/gu
