/** Where the data and programs go that an unprivileged server cannot reach below a private folder. */
export const SHARED_DIR = '/var/lib/corrigenda'
