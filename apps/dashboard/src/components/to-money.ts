/** US dollars: two places, four below a cent's worth of ten. Null: no price is known. */
export function toMoney(usd: number | null): string {
  if (usd === null) return '–'
  return `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`
}
