import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startDelivery } from '../jobs/runner.ts'
import { readConfig } from '../process/config.ts'
import { tillside } from '../testing/command.ts'
import { startGateway } from '../testing/servers/sms-gateway.ts'
import {
  openedServers,
  type MessageFixture,
  messageFixture,
  sms,
  smtp,
} from '../testing/messages.ts'
import { startSmtpServer } from '../testing/servers/smtp-server.ts'
import { waitingCode } from '../testing/verification.ts'
import { dueChannels, forgetMessages } from './deliver.ts'
import { sendersOf } from './senders.ts'

const silent = pino({ level: 'silent' })

let stage: MessageFixture
beforeAll(async () => {
  stage = await messageFixture()
})
afterAll(() => stage.company.close())
const servers = openedServers()
afterEach(async () => {
  vi.unstubAllEnvs()
  await stage.run('delete from message where company_id = $1')
  await servers.close()
})
const gone = { recipient: null, content: null }

describe('a message', () => {
  test('that failed is retried after a delay', async () => {
    const gateway = await servers.open(startGateway())
    gateway.behaviour = 503
    await stage.sendSms()
    expect(await stage.deliver('sms', sms(gateway.url), { now: false })).toMatchObject({
      outcome: 'left',
    })
    expect(await dueChannels(stage.company.database, stage.company.id)).toEqual([])
    gateway.behaviour = 200
    expect(await stage.deliver('sms', sms(gateway.url), { now: false })).toMatchObject({ done: 0 })
    await stage.run(`update message set next_at = now() where company_id = $1`)
    expect(await dueChannels(stage.company.database, stage.company.id)).toEqual(['sms'])
    expect(await stage.deliver('sms', sms(gateway.url), { now: false })).toMatchObject({ done: 1 })
  })

  test('is not sent after its code has expired', async () => {
    const gateway = await servers.open(startGateway())
    await stage.sendSms()
    await stage.run(`update message set not_after = now() where company_id = $1`)
    expect(await dueChannels(stage.company.database, stage.company.id)).toEqual(['sms'])
    expect(await stage.deliver('sms', sms(gateway.url))).toEqual({
      done: 0,
      outcome: 'finished',
      problems: [],
    })
    expect(gateway.requestCount()).toBe(0)
    expect(await stage.messages()).toMatchObject([{ outcome: 'expired', attempts: 0, ...gone }])
    expect(await dueChannels(stage.company.database, stage.company.id)).toEqual([])
  })

  test('is sent once by eight processes at once', async () => {
    const gateway = await servers.open(startGateway())
    for (let n = 0; n < 30; n++) await stage.sendSms()
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => stage.deliver('sms', sms(gateway.url), { now: false })),
    )
    expect(runs.reduce((sum, { done }) => sum + done, 0)).toBe(30)
    expect(gateway.requestCount()).toBe(30)
  })

  test('claimed by a process that died is sent by another', async () => {
    const gateway = await servers.open(startGateway())
    await stage.sendSms()
    await stage.run(`update message set attempts = 1, leased_until = now() + interval '9 seconds'
      where company_id = $1`)
    expect(await stage.deliver('sms', sms(gateway.url))).toMatchObject({ done: 0 })
    await stage.run(`update message set leased_until = now() where company_id = $1`)
    expect(await stage.deliver('sms', sms(gateway.url))).toMatchObject({ done: 1 })
  })

  test('stays in the outbox and logs the reason when production has no provider', async () => {
    await stage.sendSms()
    expect(await stage.deliver('sms', {})).toEqual({
      done: 0,
      outcome: 'left',
      problems: ['sms: SMS_PROVIDER or SMS_URL is not set'],
    })
    await stage.sendEmail()
    expect(await stage.deliver('email', {})).toMatchObject({
      problems: ['email: SMTP_URL is not set'],
    })
  })

  test('delays no request: nothing waits for a gateway that never answers', async () => {
    const gateway = await servers.open(startGateway())
    gateway.behaviour = 'silent'
    await stage.sendSms()
    const runner = startDelivery(stage.company.database, silent, {
      senders: sendersOf(readConfig(sms(gateway.url)), silent),
      pauseMs: () => 20,
      companies: async () => [stage.company],
    })
    await vi.waitFor(() => expect(gateway.requestCount()).toBe(1), { timeout: 5_000 })
    await stage.sendSms()
    // The first message still hangs, and the second one is behind it.
    expect((await stage.messages()).map(({ outcome }) => outcome)).toEqual([null, null])
    expect(gateway.requestCount()).toBe(1)
    await gateway.close()
    await runner.stop()
  })

  test('is deleted a week later', async () => {
    const gateway = await servers.open(startGateway())
    await stage.sendSms()
    await stage.deliver('sms', sms(gateway.url))
    const { database, id } = stage.company
    const forget = () => database.transaction(id, (tx) => forgetMessages(tx, id, 10))
    expect(await forget()).toBe(0)
    await stage.run(
      `update message set settled_at = now() - interval '8 days' where company_id = $1`,
    )
    expect(await forget()).toBe(1)
  })
})

test('a blocked channel does not delay the other, and a server sends by itself', async () => {
  const [gateway, office] = [
    await servers.open(startGateway()),
    await servers.open(startSmtpServer()),
  ]
  gateway.behaviour = 'silent'
  await stage.sendSms()
  const environment = { ...sms(gateway.url), ...smtp(office.url) }
  const runner = startDelivery(stage.company.database, silent, {
    senders: sendersOf(readConfig(environment), silent),
    pauseMs: () => 20,
    companies: async () => [stage.company],
  })
  await vi.waitFor(() => expect(gateway.requestCount()).toBe(1), { timeout: 5_000 })
  await stage.sendEmail()
  await vi.waitFor(() => expect(office.taken).toHaveLength(1), { timeout: 5_000 })
  await gateway.close()
  await runner.stop()
})

test('tillside jobs run outbox sends messages too', async () => {
  const [gateway, office] = [
    await servers.open(startGateway()),
    await servers.open(startSmtpServer()),
  ]
  await stage.sendSms()
  await stage.sendEmail()
  for (const [name, value] of Object.entries({ ...sms(gateway.url), ...smtp(office.url) })) {
    vi.stubEnv(name, value)
  }
  const { identifier } = stage.company
  const { code, stdout } = await tillside('jobs', 'run', 'outbox', '--now', '--company', identifier)
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${identifier}  2     finished`)])
  expect([gateway.taken.length, office.taken.length]).toEqual([1, 1])
})

/** The log lines of a server while it sends one message by SMS and one by e-mail. */
const logged = async (environment: Record<string, string>) => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const runner = startDelivery(stage.company.database, log, {
    senders: sendersOf(readConfig(environment), log),
    pauseMs: () => 20,
    companies: async () => [stage.company],
  })
  // A channel may log two lines before the other begins.
  await vi.waitFor(() => expect(lines.join('')).toMatch(/sms.*email|email.*sms/s), {
    timeout: 5_000,
  })
  await runner.stop()
  return lines.join('')
}

describe('the log', () => {
  test.each(['taken', 'refused', 'failed', 'without a provider'])(
    'of a production server contains no code and no address: %s',
    async (fate) => {
      const gateway = await servers.open(startGateway())
      const office = await servers.open(startSmtpServer())
      if (fate === 'refused') [gateway.behaviour, office.behaviour] = [400, 550]
      if (fate === 'failed') [gateway.behaviour, office.behaviour] = [500, 451]
      const [number, email] = [await stage.sendSms(), await stage.sendEmail()]
      const codes = await Promise.all([number, email].map((to) => waitingCode(stage.company, to)))
      const providers = { ...sms(gateway.url), ...smtp(office.url) }
      const log = await logged({
        NODE_ENV: 'production',
        ...(fate === 'without a provider' ? {} : providers),
      })
      expect(log).toContain(stage.company.identifier)
      for (const secret of [...codes, number, email]) expect(log).not.toContain(secret)
    },
  )

  test('of a development server without a provider shows the message, once', async () => {
    const [number, email] = [await stage.sendSms(), await stage.sendEmail()]
    const codes = await Promise.all([number, email].map((to) => waitingCode(stage.company, to)))
    const log = await logged({})
    for (const shown of [...codes, number, email]) expect(log.split(shown)).toHaveLength(2)
    const kept = await stage.messages()
    expect(kept).toMatchObject([{ outcome: 'shown' }, { outcome: 'shown' }])
    await stage.run('update message set not_after = now() where company_id = $1')
    await stage.deliver('sms', {})
    expect(await stage.messages()).toContainEqual(
      expect.objectContaining({ outcome: 'expired', ...gone }),
    )
  })
})
