import { issueCoupon } from '@tillside/contract/coupon'
import { createCustomer } from '@tillside/contract/member'
import { redeemPoints } from '@tillside/contract/points'
import { sendEmailCaptcha, sendMobileCaptcha } from '@tillside/contract/verification'
import * as z from 'zod/mini'
import { mobileKey } from '../../values/contact.ts'
import type { CallTargets } from '../hostile/calls.ts'
import type { Answer } from '../factories/company.ts'
import { itemResult } from '../factories/key.ts'
import { keyOf, type World } from './node-calls.ts'
import { receipt } from '../factories/receipt.ts'
import { testLink } from '../factories/staff.ts'
import { waitingCode } from '../verification.ts'

const Joined = z.object({
  memberCode: z.string(),
  cardNumber: z.string(),
  uniCustomerNo: z.string(),
})
const Coupons = z.object({ coupons: z.array(z.object({ code: z.string() })) })

let number = 0

/** An unused mobile number and e-mail address. */
export function newContact() {
  number += 1
  const digits = String(1_000_000 + number)
  return { countryCode: '852', mobile: `5${digits}`, email: `n${digits}@example.com` }
}

/** The input of a registration. */
export function newForm(changes: Partial<ReturnType<typeof newContact>> = {}) {
  const agreed = { tncVersion: '2', marketingOptIn: true }
  return { firstName: 'Mei', ...agreed, ...newContact(), ...changes }
}

/** The data of an answer. @throws Error if the call was refused */
export function okData({ code, message, data }: Answer): unknown {
  if (code !== 0) throw new Error(`answered ${code} ${message}`)
  return data
}

/** Creates a member on each of the two nodes, each with 1,000 points. */
export async function memberPerNode(w: World) {
  const found = new Map<string, Awaited<ReturnType<typeof join>>>()
  while (found.size < w.nodes.homes.length) {
    const member = await join(w)
    found.set(member.home, member)
  }
  const [first, second] = [...found.values()]
  if (first === undefined || second === undefined) throw new Error('a node has no member')
  for (const { memberCode } of [first, second]) await give(w, memberCode)
  return [first, second] as const
}

async function join(w: World) {
  const input = newForm()
  const data = Joined.parse(okData(await w.ask(createCustomer, input)))
  return { ...input, ...data, home: await homeOf(w, data.memberCode) }
}

/** @throws Error unless exactly one node has the member */
async function homeOf({ nodes }: World, memberCode: string): Promise<string> {
  const found = await Promise.all(
    nodes.all.map(async ({ name, ask }) => {
      const rows = await ask('select from member where member_code = $1', [memberCode])
      return rows.map(() => name)
    }),
  )
  const [home, ...more] = found.flat()
  if (home === undefined || more.length > 0) throw new Error(`${memberCode} is not on one node`)
  return home
}

async function give(w: World, memberCode: string): Promise<void> {
  number += 1
  const named = { operationId: `OP-${number}`, memberCode, type: 'adjustmentUp', points: 1_000 }
  const { items } = await w.move({ ...named, reason: 'to begin with' })
  if (items.map(itemResult).join() !== 'created') throw new Error('no points were given')
}

/** Issues coupons to a member. @returns their codes */
export async function couponsOf(w: World, memberCode: string, quantity: number): Promise<string[]> {
  const answer = await w.ask(issueCoupon, { memberCode, couponId: 'TREAT', quantity })
  return Coupons.parse(okData(answer)).coupons.map(({ code }) => code)
}

/** Valid values for the fields of all calls, for a member on one of the nodes. */
export async function namedOn(w: World, memberCode: string): Promise<CallTargets> {
  const gift = { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 }
  const { entry } = z
    .object({ entry: z.object({ id: z.string() }) })
    .parse(okData(await w.ask(redeemPoints, gift)))
  const sale = receipt([['TEA', '12.50', 2]], { memberCode })
  await w.sell(sale)
  const [couponCode = ''] = await couponsOf(w, memberCode, 1)
  const { email, ...phone } = newContact()
  okData(await w.ask(sendMobileCaptcha, phone))
  okData(await w.ask(sendEmailCaptcha, { email }))
  const { countryCode, mobile } = phone
  // The code is on the node where the contact's member would be.
  const codeFor = (contact: object, recipient: string): Promise<string> =>
    w.database.about(w.company.id, keyOf(contact), () => waitingCode(w.company, recipient))
  return {
    identifier: w.company.identifier,
    memberCode,
    couponCode,
    invoiceNumber: sale.invoiceNumber,
    key: crypto.randomUUID(),
    entryId: entry.id,
    accessToken: await testLink(w.company, 'amy'),
    codes: {
      mobile: { ...phone, captcha: await codeFor(phone, mobileKey(countryCode, mobile)) },
      email: { email, captcha: await codeFor({ email }, email) },
    },
  }
}
