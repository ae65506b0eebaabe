/** Kinds of ids in paths and bodies. */
export const ID_KINDS = [
  ...(['project', 'job', 'key', 'webhook', 'delivery', 'deployment', 'user', 'invitation', 'test', 'session'] as const),
] as const
export type IdKind = (typeof ID_KINDS)[number]
