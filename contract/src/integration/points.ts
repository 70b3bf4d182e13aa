import * as z from 'zod/mini'
import {
  cancelPoints,
  explainPoints,
  listGifts,
  pointHistory,
  previewPoints,
  redeemPoints,
} from '../points.ts'
import { PointReport, ReportInput } from '../report.ts'
import type { pointTypes } from '../wire/codes.ts'
import { MemberCode, Points, text } from '../wire/shapes.ts'
import { answers, Batch } from './batch.ts'
import { integrationEndpoint } from './endpoint.ts'
import { paged, pagedInput } from './page.ts'

/** Movements of points other than sales and redemptions, by the names of the point types. */
export const movementTypes = [
  'adjustmentUp',
  'adjustmentDown',
  'specialAdd',
  'specialDeduct',
  'transferIn',
  'transferOut',
] as const satisfies readonly (keyof typeof pointTypes)[]

export const PointMovement = z.strictObject({
  /** The caller's own id; a repeated one is the same movement. */
  operationId: text(64),
  memberCode: MemberCode,
  type: z.enum(movementTypes),
  /** The number of points, above 0. The type decides whether they are added or deducted. */
  points: z.int().check(z.minimum(1), z.maximum(1_000_000_000)),
  /** Shown in the history. */
  reason: text(200),
  storeCode: z._default(z.nullable(text(32)), null),
  invoiceNumber: z._default(z.nullable(text(64)), null),
})
export type PointMovement = z.infer<typeof PointMovement>

export const postPoints = integrationEndpoint({
  method: 'POST',
  path: '/points',
  scope: 'points:write',
  tag: 'Points',
  summary: 'Book point movements in bulk',
  description:
    'Adds or deducts points outside sales and redemptions. The operation id identifies a ' +
    'movement, so a repeated item is `unchanged`.',
  input: Batch,
  item: PointMovement,
  data: answers({ entryId: z.string(), balance: Points }),
  refusals: [],
})

/**
 * The books of the company's points for some days. A key that is limited to stores is refused: a
 * balance belongs to a member, not to a store.
 */
export const readPointReport = integrationEndpoint({
  method: 'GET',
  path: '/points/report',
  scope: 'reports:read',
  tag: 'Points',
  summary: 'Read the books of the points',
  description: 'The points that were earned, spent, expired and are owed, for some days.',
  input: ReportInput,
  data: PointReport,
  refusals: [],
})

export const readPoints = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}/points',
  scope: 'members:read',
  tag: 'Points',
  summary: 'Explain a balance',
  description: 'The balance with the lots that it consists of, in the order in which they burn.',
  input: explainPoints.input,
  data: explainPoints.data,
  refusals: explainPoints.refusals,
  counter: { endpoint: explainPoints, shape: 'same' },
})

export const readPointHistory = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}/points/history',
  scope: 'members:read',
  tag: 'Points',
  summary: 'List point entries',
  description: 'The entries of the member, newest first. `from` and `to` are days, both included.',
  input: pagedInput(z.omit(pointHistory.input, { types: true })),
  data: paged(pointHistory.data),
  refusals: pointHistory.refusals,
  counter: { endpoint: pointHistory, shape: 'page' },
})

export const readGifts = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}/gifts',
  scope: 'points:spend',
  tag: 'Points',
  summary: 'List gifts',
  description: 'The gifts that points can buy, and whether the member can afford them.',
  input: listGifts.input,
  data: listGifts.data,
  refusals: listGifts.refusals,
  counter: { endpoint: listGifts, shape: 'same' },
})

export const previewSpending = integrationEndpoint({
  method: 'POST',
  path: '/members/{memberCode}/points/preview',
  scope: 'points:spend',
  tag: 'Points',
  summary: 'Preview a spending',
  description: 'Calculates the effect of a spending, and changes nothing.',
  input: previewPoints.input,
  data: previewPoints.data,
  refusals: previewPoints.refusals,
  counter: { endpoint: previewPoints, shape: 'same' },
})

export const spendPoints = integrationEndpoint({
  method: 'POST',
  path: '/members/{memberCode}/points/spend',
  scope: 'points:spend',
  tag: 'Points',
  summary: 'Spend points',
  description: 'Buys a gift with points, or pays for a part of a sale.',
  input: redeemPoints.input,
  data: redeemPoints.data,
  refusals: redeemPoints.refusals,
  counter: { endpoint: redeemPoints, shape: 'same' },
})

export const cancelSpending = integrationEndpoint({
  method: 'POST',
  path: '/members/{memberCode}/points/cancel',
  scope: 'points:spend',
  tag: 'Points',
  summary: 'Cancel a spending',
  description:
    'Gives the points back, within the undo time of the company. Only the store that spent them ' +
    'may do so.',
  input: cancelPoints.input,
  data: cancelPoints.data,
  refusals: cancelPoints.refusals,
  counter: { endpoint: cancelPoints, shape: 'same' },
})
