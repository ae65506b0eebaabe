/** Descriptions of query parameters, which are the same for every list. */
export const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  status: 'Returns only entries with this status.',
  outcome: 'Returns only jobs with this outcome.',
  q: 'Text to find in prompts, titles and summaries, ignoring case.',
  createdAfter: 'Returns only jobs created after this time (ISO 8601).',
  createdBefore: 'Returns only jobs created before this time (ISO 8601).',
  limit: 'Maximum number of entries.',
  cursor: '`nextCursor` of the previous page, unchanged.',
  skip: 'Number of entries to omit before the first one.',
  take: 'Maximum number of entries.',
  after: 'The `seq` of the last event that you have. Returns the events after it.',
  named: 'For a stream: `false` omits the `event` field, so that an `EventSource` passes every event to `onmessage`.',
  workers: '`1` also requires that a worker is running. Without one, the response is 503.',
  token: 'A job token, for an `EventSource` in a browser, which cannot send headers. API keys are not accepted here.',
}
