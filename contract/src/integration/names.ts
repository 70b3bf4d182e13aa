import * as z from 'zod/mini'
import { Coupon, AssignedCoupon } from '../coupon.ts'
import { Member, PointStanding, PointTotals } from '../member.ts'
import { Gift, PointEntry, PointLot } from '../points.ts'
import { Receipt } from '../receipt.ts'
import { TierStanding } from '../tier.ts'
import { TransactionRow } from '../transaction.ts'
import { Day, Instant, Money, Place } from '../wire/shapes.ts'
import { Event, eventTypes } from './events.ts'
import { NewMemberItem } from './members.ts'
import { PointMovement } from './points.ts'
import { Problem } from './problems.ts'

/** The schemas that have a name in the OpenAPI document, and so a type in generated clients. */
export const schemaNames = z.registry<{ id: string }>()

const named = {
  AssignedCoupon,
  Coupon,
  Day,
  Event,
  ...eventTypes,
  Gift,
  Instant,
  Member,
  Money,
  NewMember: NewMemberItem,
  Place,
  PointEntry,
  PointLot,
  PointMovement,
  PointStanding,
  PointTotals,
  Problem,
  Receipt,
  TierStanding,
  TransactionRow,
}
for (const [id, schema] of Object.entries(named)) schemaNames.add(schema, { id })
