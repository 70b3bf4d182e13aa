// The journey by orval, whose client calls `fetch` with the path alone.
import { randomUUID } from 'node:crypto'
import {
  type Event,
  calculateTransaction,
  cancelSpending,
  findMember,
  postTransactions,
  readPointHistory,
  redeemOneCoupon,
  spendPoints,
  undoRedemption,
} from './generated/orval.ts'
import { authorization, base, journey } from './journey.ts'

const { fetch: plainFetch } = globalThis
globalThis.fetch = (input, init) =>
  plainFetch(`${base}${String(input)}`, {
    ...init,
    headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization },
  })
const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } })

function only<A extends { status: number; data: unknown }>(
  answer: A,
): Extract<A, { status: 200 }>['data'] {
  if (!isSuccess(answer)) throw new Error(JSON.stringify(answer.data))
  return answer.data
}
function isSuccess<A extends { status: number }>(answer: A): answer is Extract<A, { status: 200 }> {
  return answer.status === 200
}

await journey({
  async find(countryCode, mobile) {
    const { member, points } = only(await findMember({ countryCode, mobile }))
    return { memberCode: member.memberCode, usable: points.valid }
  },
  async calculate(receipt) {
    return only(await calculateTransaction(receipt)).points
  },
  async redeem(memberCode, couponCode, invoiceNumber) {
    return only(await redeemOneCoupon(couponCode, { memberCode, invoiceNumber }, keyed())).status
  },
  async spend(memberCode, points, { invoiceNumber, netSpend: transactionAmount }) {
    const body = { kind: 'transaction' as const, points, transactionAmount, invoiceNumber }
    return only(await spendPoints(memberCode, body, keyed())).entry.id
  },
  async send(items) {
    const answer = only(await postTransactions({ items }))
    const points = answer.items.map((item) => ('points' in item ? item.points : null))
    return { created: answer.created, points }
  },
  async history(memberCode, after) {
    const page = only(await readPointHistory(memberCode, { limit: 2, ...(after && { after }) }))
    return [page.items.length, page.next]
  },
  async cancel(memberCode, entryId) {
    return only(await cancelSpending(memberCode, { entryId, reason: 'test' }, keyed())).balance
  },
  async undo(memberCode, couponCode) {
    return only(await undoRedemption(couponCode, { memberCode, reason: 'test' }, keyed())).status
  },
  recorded(body) {
    const event: Event = JSON.parse(body)
    if (event.event !== 'transaction.recorded') return null
    return [event.data.invoiceNumber, event.data.points]
  },
  async refused(memberCode, couponCode) {
    const answer = await redeemOneCoupon(couponCode, { memberCode }, keyed())
    return [answer.status, 'code' in answer.data ? answer.data.code : '']
  },
})
