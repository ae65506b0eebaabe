/** Description of what archiving does. */
export const ARCHIVE_HINT = 'Archived jobs are read-only and cannot be continued. This cannot be undone.'
