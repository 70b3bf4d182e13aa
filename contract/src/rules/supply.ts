// How many gifts or coupons of one kind a member can have. The server refuses by these functions;
// the portal calls them to say what it would refuse.

/** How much of a gift or coupon is left. */
export type Supply = {
  /** Null: no limit. */
  remaining: number | null
  /** Null: no limit. */
  perMemberLimit: number | null
  /** How many this member has had; null: not known, so only the server can check the limit. */
  memberHas: number | null
}

/** The most that one request may ask for. */
export const maxPerRequest = 10

/**
 * How many a member may have had at most, for so many more; null: any number.
 * @param perMemberLimit null: no limit
 */
export function mostHadBefore(perMemberLimit: number | null, quantity: number): number | null {
  return perMemberLimit === null ? null : perMemberLimit - quantity
}

/** Why the member cannot have so many more, or null. Stock is checked before the limit. */
export function supplyProblem(
  { remaining, perMemberLimit, memberHas }: Supply,
  quantity: number,
): 'outOfStock' | 'limit' | null {
  if (remaining !== null && quantity > remaining) return 'outOfStock'
  const most = mostHadBefore(perMemberLimit, quantity)
  return most !== null && (memberHas ?? 0) > most ? 'limit' : null
}

/**
 * How many the member can have in one request; at least one, which the server may refuse.
 * @param cost points for one; null: it costs none
 * @param usable the points that can be spent today; null: not known
 */
export function maxQuantity(supply: Supply, cost: number | null, usable: number | null): number {
  const { remaining, perMemberLimit, memberHas } = supply
  const paid = cost === null || cost === 0 || usable === null ? maxPerRequest : usable / cost
  const allowed = perMemberLimit === null ? maxPerRequest : perMemberLimit - (memberHas ?? 0)
  return Math.max(1, Math.min(maxPerRequest, remaining ?? maxPerRequest, allowed, Math.floor(paid)))
}
