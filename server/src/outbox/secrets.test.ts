import { webhookEvents } from '@tillside/contract/integration/events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tillside } from '../testing/command.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { type Receiver, startReceiver } from '../testing/servers/webhook-receiver.ts'
import { signatureOf } from './post.ts'
import { deliverOutbox } from './webhooks.ts'

// A secret is replaced while events go on: at no moment is an event unsigned or lost.

const secrets = {
  WEBHOOK_SECRET_OLD: 'the old secret, long enough',
  WEBHOOK_SECRET_NEW: 'the new secret, long enough',
}
let receiver: Receiver
let shop: Shop
beforeEach(async () => {
  receiver = await startReceiver()
  const secretVariable = 'WEBHOOK_SECRET_OLD'
  const events = [...webhookEvents]
  shop = await testShop({ webhooks: [{ id: 'crm', url: receiver.url, secretVariable, events }] })
})
afterEach(async () => {
  await receiver.close()
  await shop.close()
})

const secret = (verb: 'add' | 'drop', variable: string, webhook = 'crm') =>
  tillside('webhook', 'secret', verb, shop.identifier, webhook, variable)

/** The variables whose secrets signed the next event, in the order of the header. */
async function signers(environment: Record<string, string> = secrets): Promise<string[]> {
  await testMember(shop)
  await deliverOutbox(shop.database, shop.id, { environment, now: true })
  const message = receiver.taken.at(-1)
  if (message === undefined) throw new Error('no event')
  const { signature, timestamp, raw } = message
  return signature.split(',').map((part) => {
    const signer = Object.entries(secrets).find(
      ([, text]) => part === `v1=${signatureOf(text, timestamp, raw)}`,
    )
    return signer?.[0] ?? 'unknown'
  })
}

test('both secrets sign while a secret is replaced, the new one first', async () => {
  expect(await signers()).toEqual(['WEBHOOK_SECRET_OLD'])
  expect(await secret('add', 'WEBHOOK_SECRET_NEW')).toMatchObject({ code: 0 })
  expect(await signers()).toEqual(['WEBHOOK_SECRET_NEW', 'WEBHOOK_SECRET_OLD'])
  const exported = await tillside('company', 'export', shop.identifier, '--json')
  expect(exported.stdout).toContain('secondSecretVariable: WEBHOOK_SECRET_NEW')
  expect(await secret('drop', 'WEBHOOK_SECRET_OLD')).toMatchObject({ code: 0 })
  expect(await signers()).toEqual(['WEBHOOK_SECRET_NEW'])
  const { stdout } = await tillside('company', 'history', shop.identifier)
  expect(stdout).toContain('add secret of webhook crm: WEBHOOK_SECRET_NEW')
  expect(stdout).toContain('drop secret of webhook crm: WEBHOOK_SECRET_OLD')
})

test('a second secret that the server does not have yet stops no event', async () => {
  await secret('add', 'WEBHOOK_SECRET_NEW')
  const { WEBHOOK_SECRET_NEW: _, ...onlyOld } = secrets
  expect(await signers(onlyOld)).toEqual(['WEBHOOK_SECRET_OLD'])
  const run = await deliverOutbox(shop.database, shop.id, { environment: onlyOld })
  expect(run.problems).toEqual(['crm: WEBHOOK_SECRET_NEW holds no secret of 16 characters or more'])
})

test('a repeated command changes nothing, and a wrong one is refused', async () => {
  const added = await secret('add', 'WEBHOOK_SECRET_NEW')
  expect(await secret('add', 'WEBHOOK_SECRET_NEW')).toMatchObject({ stdout: added.stdout })
  const { stdout } = await tillside('company', 'history', shop.identifier)
  expect(stdout.match(/add secret/g)).toHaveLength(1)
  const refusals = [
    [await secret('add', 'WEBHOOK_SECRET_THIRD'), /has two secrets/],
    [await secret('add', 'DATABASE_URL'), /must be WEBHOOK_SECRET/],
    [await secret('add', 'WEBHOOK_SECRET_NEW', 'erp'), /no webhook "erp"/],
    [await secret('drop', 'WEBHOOK_SECRET_THIRD'), /has no secret WEBHOOK_SECRET_THIRD/],
  ] as const
  for (const [{ code, stderr }, reason] of refusals) {
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)])
  }
  await secret('drop', 'WEBHOOK_SECRET_OLD')
  expect(await secret('drop', 'WEBHOOK_SECRET_NEW')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/only secret/),
  })
})
