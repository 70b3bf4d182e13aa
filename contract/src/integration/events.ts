/** The events that a company's webhooks can subscribe to. */
export const webhookEvents = [
  'member.created',
  'points.changed',
  'coupon.redeemed',
  'tier.changed',
  'staff.alert',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]
