import { signatureOf } from '@tillside/server/outbox/post'
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from './tillside.ts'

const secret = 'a secret of the receiver'
const event = {
  id: '019a0000-0000-7000-8000-000000000000',
  event: 'coupon.redeemed',
  sequence: 7,
  at: '2026-11-23T09:00:00Z',
  store: 'S1',
  actor: { type: 'key', keyId: '019a0000-0000-7000-8000-000000000001' },
  data: { memberCode: 'M1', couponCode: 'C1' },
}
const body = JSON.stringify(event)
const now = Date.parse('2026-11-23T09:00:01Z')
const timestamp = String(now / 1000)

function headersOf(signedWith: string, at = timestamp): Record<string, string> {
  const signature = `v1=${signatureOf(signedWith, at, body)}`
  return { 'tillside-timestamp': at, 'tillside-signature': signature }
}

describe('verifyWebhook', () => {
  it('returns the event that the server signed, as text and as bytes', async () => {
    const bytes = new TextEncoder().encode(body)
    for (const sent of [body, bytes]) {
      const message = { body: sent, headers: headersOf(secret), secrets: [secret], now }
      expect(await verifyWebhook(message)).toEqual(event)
    }
    const headers = new Headers(headersOf(secret))
    expect(await verifyWebhook({ body, headers, secrets: [secret], now })).toEqual(event)
  })

  it('accepts either secret while one replaces the other', async () => {
    const both = `v1=${'0'.repeat(64)},${headersOf('new')['tillside-signature']}`
    const headers = { ...headersOf(secret), 'tillside-signature': both }
    expect(await verifyWebhook({ body, headers, secrets: [secret, 'new'], now })).toEqual(event)
  })

  it.each([
    ['an altered body', { body: body.replace('M1', 'M2') }, /signature/],
    ['another secret', { secrets: ['another'] }, /signature/],
    ['no secret', { secrets: [] }, /signature/],
    ['an old message', { now: now + 301_000 }, /too old/],
    ['a message of the future', { now: now - 301_000 }, /too old/],
    ['no headers', { headers: {} }, /timestamp/],
    ['another time', { headers: { ...headersOf(secret), 'tillside-timestamp': '1' } }, /too old/],
    ['no signature', { headers: { 'tillside-timestamp': timestamp } }, /signature/],
    ['a signature of another kind', { headers: headersWith('v2=00') }, /signature/],
  ])('refuses %s', async (_what, change, why) => {
    const message = { body, headers: headersOf(secret), secrets: [secret], now, ...change }
    await expect(verifyWebhook(message)).rejects.toThrow(why)
  })
})

function headersWith(signature: string): Record<string, string> {
  return { 'tillside-timestamp': timestamp, 'tillside-signature': signature }
}
