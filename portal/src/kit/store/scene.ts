import { greetingName, maskedName } from '@tillside/contract/rules/person'
import { Day, Money, Points } from '@tillside/contract/wire/shapes'
import * as z from 'zod/mini'
import { useEffect, useRef } from 'react'
import { createStore } from './store.ts'

// The facts that the customer may see. Screens at the counter set them, and the customer display
// shows them, in a window of its own or on the turned tablet. The display gets nothing else.

const line = z.string().check(z.maxLength(500))

const ShownCoupon = z.strictObject({
  name: line,
  /** The coupon's condition; null if there is none or the clerk may not see it. */
  condition: z.nullable(z.string().check(z.maxLength(4000))),
  kind: z.enum(['amount', 'percent', 'gift']),
  value: z.nullable(z.string().check(z.maxLength(20))),
  startDate: Day,
  expiryDate: Day,
})

/** What is about to happen, and its result. */
export const Deed = z.strictObject({
  kind: z.enum(['redeem', 'issue', 'spend']),
  step: z.enum(['asked', 'sent', 'done', 'refused']),
  coupons: z.array(ShownCoupon).check(z.maxLength(20)),
  /** The name of the reward; null for coupons, and for points against a sale. */
  reward: z.nullable(line),
  /** Null: the clerk may not see the balance, or it is not known yet. */
  before: z.nullable(Points),
  after: z.nullable(Points),
  /** The money that the points pay. */
  amount: z.nullable(Money),
})
export type Deed = z.infer<typeof Deed>

/** What a customer confirms before they join. */
const Signing = z.strictObject({
  contacts: z.array(line).check(z.maxLength(4)),
  terms: z.boolean(),
  marketing: z.boolean(),
})

/** All that the customer display shows; every part is null on the first page of a customer. */
export const Scene = z.strictObject({
  /** For the greeting; never the full name. Null: no member is open. */
  name: z.nullable(line),
  points: z.nullable(Points),
  deed: z.nullable(Deed),
  signing: z.nullable(Signing),
})
export type Scene = z.infer<typeof Scene>

export const emptyScene: Scene = { name: null, points: null, deed: null, signing: null }

/** What the customer may see now. */
export const scene = createStore<Scene>(emptyScene)

/** The open member as a slip names them, masked, with the points that can be spent. */
export const present = createStore<{ masked: string; points: number | null } | null>(null)

/** Whether this screen is turned to the customer. */
export const turned = createStore(false)

/** The clerk has left the screen, so it is covered; the customer display is then empty too. */
export const covered = createStore(false)

function change(part: Partial<Scene>): void {
  scene.set({ ...scene.get(), ...part })
}

/**
 * Calls `show` when the value has changed, compared as JSON.
 * @param leave called at the end
 */
function useShown<T>(value: T, show: (value: T) => void, leave: () => void): void {
  const last = useRef('')
  useEffect(() => {
    const text = JSON.stringify(value)
    if (text === last.current) return
    last.current = text
    show(value)
  })
  useEffect(
    () => () => {
      last.current = ''
      leave()
    },
    [leave],
  )
}

const leaveMember = () => {
  change(emptyScene)
  present.set(null)
}
const leaveSigning = () => change({ signing: null })
type Named = { firstName: string; lastName: string }

function showMember({ member, points }: { member: Named | null; points: number | null }): void {
  change({ name: member && greetingName(member), points })
  present.set(member && { masked: maskedName(member), points })
}

const showSigning = (signing: Scene['signing']) => change({ signing })

/** A result stays until the next question, so that the customer can read it. */
function leaveDeed(): void {
  if (scene.get().deed?.step !== 'done') change({ deed: null })
}

function showDeed(deed: Deed | null): void {
  if (deed === null) leaveDeed()
  else change({ deed })
}

/** Shows the open member. When the page is left, nothing of the member stays. */
export function useShownMember(member: Named | null, points: number | null): void {
  useShown({ member, points }, showMember, leaveMember)
}

/**
 * Shows what is about to happen to the member's value.
 * @param deed null if nothing is asked
 */
export function useShownDeed(deed: Deed | null): void {
  useShown(deed, showDeed, leaveDeed)
}

/** Shows contact and consent to a customer who joins. */
export function useShownSigning(signing: Scene['signing']): void {
  useShown(signing, showSigning, leaveSigning)
}

/** Forgets a result that the clerk has undone. */
export function forgetDeed(): void {
  change({ deed: null })
}

/** The step of a request that moves value, as the customer display knows it. */
export function deedStep(step: string): Deed['step'] {
  if (step === 'done' || step === 'refused') return step
  return step === 'sending' || step === 'unknown' ? 'sent' : 'asked'
}

type CouponFacts = Omit<z.infer<typeof ShownCoupon>, 'condition'> & {
  description?: string | null
}

/** The part of a coupon that the customer display shows. */
export function shownCoupon(coupon: CouponFacts): Deed['coupons'][number] {
  const { name, kind, value, startDate, expiryDate, description } = coupon
  return { name, condition: description ?? null, kind, value, startDate, expiryDate }
}

/** A deed without a coupon, a reward and points. */
export const noDeed = {
  coupons: [],
  reward: null,
  before: null,
  after: null,
  amount: null,
} satisfies Partial<Deed>
