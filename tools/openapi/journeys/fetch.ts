// The journey by openapi-typescript and openapi-fetch.
import { randomUUID } from 'node:crypto'
import createClient from 'openapi-fetch'
import type { components, paths } from './generated/schema.ts'
import { authorization, base, journey } from './journey.ts'

const client = createClient<paths>({ baseUrl: base, headers: { authorization } })
const keyed = () => ({ 'idempotency-key': randomUUID() })

function only<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error))
  return answer.data
}

await journey({
  async find(countryCode, mobile) {
    const body = { countryCode, mobile }
    const { member, points } = only(await client.POST('/members/find', { body }))
    return { memberCode: member.memberCode, usable: points.valid }
  },
  async calculate(body) {
    return only(await client.POST('/transactions/calculate', { body })).points
  },
  async redeem(memberCode, couponCode, invoiceNumber) {
    const params = { path: { couponCode }, header: keyed() }
    const body = { memberCode, invoiceNumber }
    return only(await client.POST('/coupons/{couponCode}/redeem', { params, body })).status
  },
  async spend(memberCode, points, { invoiceNumber, netSpend: transactionAmount }) {
    const params = { path: { memberCode }, header: keyed() }
    const body = { kind: 'transaction' as const, points, transactionAmount, invoiceNumber }
    const path = '/members/{memberCode}/points/spend'
    return only(await client.POST(path, { params, body })).entry.id
  },
  async send(items) {
    const answer = only(await client.POST('/transactions', { body: { items } }))
    const points = answer.items.map((item) => ('points' in item ? item.points : null))
    return { created: answer.created, points }
  },
  async history(memberCode, after) {
    const params = { path: { memberCode }, query: { limit: 2, ...(after && { after }) } }
    const page = only(await client.GET('/members/{memberCode}/points/history', { params }))
    return [page.items.length, page.next]
  },
  async cancel(memberCode, entryId) {
    const params = { path: { memberCode }, header: keyed() }
    const body = { entryId, reason: 'test' }
    const path = '/members/{memberCode}/points/cancel'
    return only(await client.POST(path, { params, body })).balance
  },
  async undo(memberCode, couponCode) {
    const params = { path: { couponCode }, header: keyed() }
    const body = { memberCode, reason: 'test' }
    return only(await client.POST('/coupons/{couponCode}/undo', { params, body })).status
  },
  recorded(body) {
    const event: components['schemas']['Event'] = JSON.parse(body)
    if (event.event !== 'transaction.recorded') return null
    return [event.data.invoiceNumber, event.data.points]
  },
  async refused(memberCode, couponCode) {
    const params = { path: { couponCode }, header: keyed() }
    const body = { memberCode }
    const answer = await client.POST('/coupons/{couponCode}/redeem', { params, body })
    return [answer.response.status, answer.error?.code ?? '']
  },
})
