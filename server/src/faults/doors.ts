import { randomUUID } from 'node:crypto'
import { login } from '@tillside/contract/auth'
import { cancelCouponRedeem, issueCoupon, redeemCoupon } from '@tillside/contract/coupon'
import { basePath, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { password } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { post, sendUntilAnswered, type ServerProcess } from '../testing/servers/process.ts'

// Two server processes that differ, on one database, and requests that race at both.

/** A server process where a clerk has logged in. */
export type Door = { address: string; token: string; server: ServerProcess }

/** Waits for a server, and logs in there. */
export async function openDoor(server: ServerProcess, shop: Shop): Promise<Door> {
  const address = await server.ready
  const input = { identifier: shop.identifier, account: 'amy', password }
  const { data } = await post(address, login, input)
  return { address, token: z.object({ token: z.string() }).parse(data).token, server }
}

type Sent = { door: Door; endpoint: Endpoint; key: string; input: object; language?: string }

/** The bytes of an answer. */
async function send({ door, endpoint, key, input, language = 'en-US' }: Sent): Promise<string> {
  const response = await sendUntilAnswered(door.address + basePath + endpoint.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${door.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      'user-language': language,
    },
    body: JSON.stringify(input),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${endpoint.path}: ${response.status} ${text}`)
  return text
}

const codeOf = (text: string): number => Envelope.parse(JSON.parse(text)).code

/** The deviations of a race: a repeat with other bytes, or not exactly one success. */
export type Deviation = { path: string; answers: string[] }

/**
 * Sends one request twice with the same key, to two doors, and once with a key of its own to each.
 * Then repeats the first request at both, in another language.
 * @param loser the refusal of the requests that come too late; null: each key succeeds
 */
async function race(
  [one, other]: readonly [Door, Door],
  endpoint: Endpoint,
  input: object,
  loser: number | null,
): Promise<Deviation[]> {
  const key = randomUUID()
  const first = { door: one, endpoint, key, input }
  const answers = await Promise.all([
    send(first),
    send({ ...first, door: other }),
    send({ ...first, key: randomUUID() }),
    send({ ...first, door: other, key: randomUUID() }),
  ])
  const later = await Promise.all(
    [one, other].map((door) => send({ ...first, door, language: 'zh-HK' })),
  )
  const [own, ...others] = answers
  const codes = [own, ...others.slice(1)].map(codeOf).toSorted((a, b) => a - b)
  const wanted = loser === null ? [0, 0, 0] : [0, loser, loser]
  const isSame = [others[0], ...later].every((text) => text === own)
  const isRight = isSame && JSON.stringify(codes) === JSON.stringify(wanted)
  return isRight ? [] : [{ path: endpoint.path, answers: [...answers, ...later] }]
}

/**
 * Lets requests race at two doors: a redemption, its undo, and issues, of a new member each time.
 * @returns the deviations
 */
export async function raceAt(doors: readonly [Door, Door], shop: Shop, rounds: number) {
  const deviations: Deviation[] = []
  for (let n = 0; n < rounds; n++) {
    const { id, memberCode } = await testMember(shop)
    const couponCode = await testCoupon(shop, { id })
    const [a, b] = doors
    const inTurn: readonly [Door, Door] = n % 2 === 0 ? [a, b] : [b, a]
    const redemption = { couponCode, memberCode }
    const order = { couponId: 'TREAT', quantity: 2, memberCode }
    const undo = { ...redemption, reason: 'race' }
    const { couponUsed, notCancellable } = failures
    deviations.push(
      ...(await race(inTurn, redeemCoupon, redemption, couponUsed.code)),
      ...(await race(inTurn, cancelCouponRedeem, undo, notCancellable.code)),
      ...(await race(inTurn, issueCoupon, order, null)),
    )
  }
  return deviations
}

const countEffects = statement(
  `select count(*)::int as redemptions, count(distinct r.coupon_code)::int as coupons,
     count(r.cancelled_at)::int as undone,
     (select count(*)::int from audit where company_id = $1 and action = 'coupon.redeem') as audits,
     (select count(*)::int from audit where company_id = $1 and action = 'coupon.cancelRedeem')
       as undone_audits,
     (select count(*)::int from audit where company_id = $1 and action = 'coupon.issue') as issues,
     (select count(*)::int from coupon where company_id = $1 and used) as used,
     (select count(*)::int from coupon where company_id = $1) as issued
   from coupon_redemption r where company_id = $1`,
  z.unknown(),
)

/** The rows that the races of a shop have left, and the rows that they must leave. */
export async function effectsOf({ database, id }: Shop, rounds: number) {
  const left = await database.reading(id, (tx) => tx.one(countEffects, [id]))
  const once = { redemptions: rounds, coupons: rounds, undone: rounds, audits: rounds }
  const others = { undone_audits: rounds, used: 0 }
  // Three keys of two coupons, and the coupon of the redemption.
  const wanted = { ...once, ...others, issues: 3 * rounds, issued: 7 * rounds }
  return { left, wanted }
}

/** How often a process has answered a path in one round trip, by its metrics. */
export async function answeredAtOnce({ server }: Door, { path }: Endpoint): Promise<number> {
  const [, place = ''] = /^Metrics are at (\S+)$/m.exec(server.output()) ?? []
  const text = await (await fetch(place)).text()
  const series = `{endpoint="${path}",answered="yes"}`
  const line = text.split('\n').find((one) => one.includes(series)) ?? '0'
  return Number(line.split(' ').at(-1))
}
