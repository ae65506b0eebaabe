/**
 * Folder for data and programs whose default location is private and therefore inaccessible to an
 * unprivileged server.
 */
export const SHARED_DIR = '/var/lib/corrigenda'
