import { sendEmailCaptcha } from '@tillside/contract/verification'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../testing/factories/company.ts'
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

let stage: MessageFixture
beforeAll(async () => {
  stage = await messageFixture()
})
afterAll(() => stage.company.close())
const servers = openedServers()
afterEach(async () => {
  await stage.run('delete from message where company_id = $1')
  await servers.close()
})
const gone = { recipient: null, content: null }

describe('e-mail', () => {
  test('arrives with the company’s name, and its content is deleted', async () => {
    const office = await servers.open(startSmtpServer())
    const email = await stage.sendEmail()
    const code = await waitingCode(stage.company, email)
    expect(await stage.deliver('email', smtp(office.url))).toEqual({
      done: 1,
      outcome: 'finished',
      problems: [],
    })
    const [mail] = office.taken
    expect(mail?.to).toEqual([email])
    expect(mail?.raw).toMatch(/^From: =\?UTF-8\?[^:]*<counter@shop\.example>/m)
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated/im)
    expect(mail?.raw).toContain(code)
    expect(await stage.messages()).toMatchObject([{ outcome: 'delivered', attempts: 1, ...gone }])
    expect(await stage.deliver('email', smtp(office.url))).toMatchObject({ done: 0 })
    expect(office.taken).toHaveLength(1)
  })

  test('is sent to exactly one address, even if it contains a comma', async () => {
    const office = await servers.open(startSmtpServer())
    for (const email of ['a,b@example.org', 'a<b@example.org>@c.example', '"a b"@c.example']) {
      expect(
        (await call(stage.company, sendEmailCaptcha, { email }, { token: stage.token })).code,
      ).toBe(422)
    }
    const odd = `o'neil+{b}!#$%&*/=?^_|~\`@example.org`
    await stage.sendEmail(odd)
    await stage.deliver('email', smtp(office.url))
    expect(office.taken.map(({ to }) => to)).toEqual([[odd]])
  })

  test('is retried while the server is down, slow or refuses, and then arrives once', async () => {
    const office = await startSmtpServer()
    await office.close()
    const email = await stage.sendEmail()
    const left = { done: 0, outcome: 'left' }
    const down = await stage.deliver('email', smtp(office.url))
    expect(down).toEqual({ ...left, problems: ['email: cannot be reached'] })
    const again = await servers.open(startSmtpServer(office.port))
    again.behaviour = 'silent'
    const slow = await stage.deliver('email', smtp(office.url), { timeoutMs: 400 })
    expect(slow).toEqual({ ...left, problems: ['email: no answer in 400 ms'] })
    again.behaviour = 451
    const busy = await stage.deliver('email', smtp(office.url))
    expect(busy).toEqual({ ...left, problems: ['email: answered 451'] })
    const [waiting] = await stage.messages()
    expect(waiting).toMatchObject({ outcome: null, attempts: 3, recipient: email })
    again.behaviour = 'accept'
    expect(await stage.deliver('email', smtp(office.url))).toMatchObject({ done: 1 })
    expect(again.taken.map(({ to }) => to)).toEqual([[email]])
  })

  test('that is permanently refused is not retried, and its content is deleted', async () => {
    const office = await servers.open(startSmtpServer())
    office.behaviour = 550
    await stage.sendEmail()
    const refused = await stage.deliver('email', smtp(office.url))
    expect(refused).toEqual({ done: 0, outcome: 'finished', problems: ['email: answered 550'] })
    expect(await stage.messages()).toMatchObject([{ outcome: 'refused', ...gone }])
    office.behaviour = 'accept'
    expect(await stage.deliver('email', smtp(office.url))).toMatchObject({ done: 0 })
    expect(office.taken).toEqual([])
  })
})

describe('a short message', () => {
  test('arrives, and its content is deleted', async () => {
    const gateway = await servers.open(startGateway())
    const number = await stage.sendSms()
    const code = await waitingCode(stage.company, number)
    expect(await stage.deliver('sms', sms(gateway.url))).toMatchObject({
      done: 1,
      outcome: 'finished',
    })
    const text = expect.stringContaining(
      `Bean & Leaf “Café” 極光: your verification code is ${code}`,
    )
    expect(gateway.taken.map((body) => JSON.parse(body))).toEqual([{ to: number, text }])
    expect(await stage.messages()).toMatchObject([{ outcome: 'delivered', ...gone }])
  })

  test.each([
    ['twilio', { SMS_USER: 'AC1', SMS_PASSWORD: 'token', SMS_FROM: '+15005550006' }],
    ['yunpian', { SMS_PASSWORD: 'key' }],
  ])('is delivered by %s only if its answer says so', async (provider, secrets) => {
    const gateway = await servers.open(startGateway())
    const environment = { SMS_PROVIDER: provider, ...secrets, SMS_URL: gateway.url }
    const number = await stage.sendSms()
    expect(await stage.deliver('sms', environment)).toMatchObject({ done: 1 })
    expect(decodeURIComponent(gateway.taken[0] ?? '')).toContain(number)
    gateway.behaviour = { body: '{"code":22,"msg":"no"}' }
    await stage.sendSms()
    expect(await stage.deliver('sms', environment)).toEqual({
      done: 0,
      outcome: 'finished',
      problems: ['sms: answered 200, but did not accept the message'],
    })
  })

  test('is retried while the gateway is down, slow or broken, and then arrives once', async () => {
    const gateway = await startGateway()
    await gateway.close()
    const number = await stage.sendSms()
    const left = { done: 0, outcome: 'left' }
    const down = await stage.deliver('sms', sms(gateway.url))
    expect(down).toEqual({ ...left, problems: ['sms: cannot be reached'] })
    const again = await servers.open(startGateway(gateway.port))
    again.behaviour = 'silent'
    const slow = await stage.deliver('sms', sms(gateway.url), { timeoutMs: 300 })
    expect(slow).toEqual({ ...left, problems: ['sms: no answer in 300 ms'] })
    for (const status of [500, 429, 401, 302]) {
      again.behaviour = status
      const ill = await stage.deliver('sms', sms(gateway.url))
      expect(ill).toEqual({ ...left, problems: [`sms: answered ${status}`] })
    }
    again.behaviour = 200
    expect(await stage.deliver('sms', sms(gateway.url))).toMatchObject({ done: 1 })
    expect(again.taken.map((body) => JSON.parse(body))).toMatchObject([{ to: number }])
  })

  test('is delivered although the gateway’s answer never ends', async () => {
    const gateway = await servers.open(startGateway())
    gateway.behaviour = 'endless'
    await stage.sendSms()
    const options = { timeoutMs: 20_000 }
    expect(await stage.deliver('sms', sms(gateway.url), options)).toMatchObject({
      done: 1,
      problems: [],
    })
  })

  test('to a refused number is not retried', async () => {
    const gateway = await servers.open(startGateway())
    gateway.behaviour = 400
    await stage.sendSms()
    expect(await stage.deliver('sms', sms(gateway.url))).toMatchObject({
      done: 0,
      outcome: 'finished',
    })
    expect(await stage.messages()).toMatchObject([
      { outcome: 'refused', problem: 'answered 400', ...gone },
    ])
    expect(await stage.deliver('sms', sms(gateway.url))).toMatchObject({ done: 0, problems: [] })
    expect(gateway.requestCount()).toBe(1)
  })
})
