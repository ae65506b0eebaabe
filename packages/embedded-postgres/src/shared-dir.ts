/**
 * Folder for data and programs that an unprivileged server cannot access below a private folder.
 */
export const SHARED_DIR = '/var/lib/corrigenda'
