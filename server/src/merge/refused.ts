import type { Side } from './plan.ts'

/** Why two members cannot be merged or parted. */
export type MergeRefusal =
  | 'memberSame'
  /** Also for members of other companies. */
  | 'memberUnknown'
  | 'memberErased'
  | 'memberMerged'
  | 'memberNotMerged'
  /** The merge is older than `daysToPart`. */
  | 'mergeTooOld'
  /** A later merge of the survivor must be undone first. */
  | 'mergeNotLast'
  /** A redemption or a return since the merge used what belonged to both members. */
  | 'mergeInUse'

/** For how many days a merge can be undone. */
export const daysToPart = 30

const sentences: Record<MergeRefusal, (code: string) => string> = {
  memberSame: (code) => `${code} is the same member`,
  memberUnknown: (code) => `there is no member "${code}"`,
  memberErased: (code) => `${code} was erased`,
  memberMerged: (code) => `${code} is merged into another member already`,
  memberNotMerged: (code) => `${code} is not merged into another member`,
  mergeTooOld: (code) => `${code} was merged more than ${daysToPart} days ago`,
  mergeNotLast: (code) => `${code} was merged before a later merge, which must be undone first`,
  mergeInUse: (code) =>
    `${code} cannot be restored: since the merge, points or goods of both members were used ` +
    'together; undo these redemptions first',
}

/** A refused merge; the transaction must be rolled back, so that nothing changes. */
export class MergeRefused extends Error {
  readonly reason: MergeRefusal

  constructor(reason: MergeRefusal, code: Side['memberCode']) {
    super(`${sentences[reason](code)} (${reason})`)
    this.reason = reason
  }
}
