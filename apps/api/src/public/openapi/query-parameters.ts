/** Descriptions of query parameters, which are the same for every list. */
export const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  status: 'Only those with this status.',
  outcome: 'Only those that ended so.',
  q: 'Text to find in prompts, titles and summaries, whatever its case.',
  createdAfter: 'Only those created after this time (ISO 8601).',
  createdBefore: 'Only those created before this time (ISO 8601).',
  limit: 'How many at most.',
  cursor: '`nextCursor` of the page before, unchanged.',
  after: 'The `seq` of the last event you have. Those behind it are answered.',
}
