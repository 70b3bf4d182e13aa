// The journey by @hey-api/openapi-ts.
import { randomUUID } from 'node:crypto'
import { client } from './generated/hey/client.gen.ts'
import {
  calculateTransaction,
  cancelSpending,
  findMember,
  postTransactions,
  readPointHistory,
  redeemOneCoupon,
  spendPoints,
  undoRedemption,
} from './generated/hey/sdk.gen.ts'
import type { Event } from './generated/hey/types.gen.ts'
import { authorization, base, journey } from './journey.ts'

client.setConfig({ baseUrl: base, headers: { authorization } })
const throwOnError = true as const
const keyed = () => ({ 'idempotency-key': randomUUID() })

await journey({
  async find(countryCode, mobile) {
    const { data } = await findMember({ body: { countryCode, mobile }, throwOnError })
    return { memberCode: data.member.memberCode, usable: data.points.valid }
  },
  async calculate(body) {
    return (await calculateTransaction({ body, throwOnError })).data.points
  },
  async redeem(memberCode, couponCode, invoiceNumber) {
    const body = { memberCode, invoiceNumber }
    const call = { path: { couponCode }, headers: keyed(), body, throwOnError }
    return (await redeemOneCoupon(call)).data.status
  },
  async spend(memberCode, points, { invoiceNumber, netSpend: transactionAmount }) {
    const body = { kind: 'transaction' as const, points, transactionAmount, invoiceNumber }
    const call = { path: { memberCode }, headers: keyed(), body, throwOnError }
    return (await spendPoints(call)).data.entry.id
  },
  async send(items) {
    const { data } = await postTransactions({ body: { items }, throwOnError })
    const points = data.items.map((item) => ('points' in item ? item.points : null))
    return { created: data.created, points }
  },
  async history(memberCode, after) {
    const query = { limit: 2, ...(after && { after }) }
    const { data } = await readPointHistory({ path: { memberCode }, query, throwOnError })
    return [data.items.length, data.next]
  },
  async cancel(memberCode, entryId) {
    const body = { entryId, reason: 'test' }
    const call = { path: { memberCode }, headers: keyed(), body, throwOnError }
    return (await cancelSpending(call)).data.balance
  },
  async undo(memberCode, couponCode) {
    const body = { memberCode, reason: 'test' }
    const call = { path: { couponCode }, headers: keyed(), body, throwOnError }
    return (await undoRedemption(call)).data.status
  },
  recorded(body) {
    const event: Event = JSON.parse(body)
    if (event.event !== 'transaction.recorded') return null
    return [event.data.invoiceNumber, event.data.points]
  },
  async refused(memberCode, couponCode) {
    const call = { path: { couponCode }, headers: keyed(), body: { memberCode } }
    const { response, error } = await redeemOneCoupon(call)
    return [response?.status ?? 0, error?.code ?? '']
  },
})
