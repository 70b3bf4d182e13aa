import { describe, expect, test } from 'vitest'
import { gatewayOf, GatewayVariables, requestOf } from './gateway.ts'

const text = '【极光】"验证码" 123456 & 100%\n{{user}}'
const to = '+8613123456789'

function requestWith(environment: Record<string, string>, recipient = to) {
  const gateway = gatewayOf(GatewayVariables.parse(environment))
  if (gateway === null) throw new Error('no gateway')
  return requestOf(gateway, recipient, text)
}

describe('a short message', () => {
  test('is sent as Twilio expects it', () => {
    const request = requestWith({
      SMS_PROVIDER: 'twilio',
      SMS_USER: 'AC123',
      SMS_PASSWORD: 'token',
      SMS_FROM: '+15005550006',
    })
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://api.twilio.com/2010-04-01/Accounts/AC123/Messages.json',
      headers: {
        authorization: `Basic ${Buffer.from('AC123:token').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded;charset=utf-8',
      },
    })
    expect(Object.fromEntries(new URLSearchParams(request.body ?? ''))).toEqual({
      To: to,
      From: '+15005550006',
      Body: text,
    })
  })

  test('is sent as Yunpian expects it: without the calling code in China, with it abroad', () => {
    const environment = { SMS_PROVIDER: 'yunpian', SMS_PASSWORD: 'key' }
    const home = requestWith(environment)
    expect(home.url).toBe('https://sms.yunpian.com/v2/sms/single_send.json')
    expect(Object.fromEntries(new URLSearchParams(home.body ?? ''))).toEqual({
      apikey: 'key',
      mobile: '13123456789',
      text,
    })
    const abroad = requestWith(environment, '+85251234567')
    expect(new URLSearchParams(abroad.body ?? '').get('mobile')).toBe('+85251234567')
  })

  test('is sent as JSON, with its text escaped as a string', () => {
    const request = requestWith({
      SMS_URL: 'https://sms.example.com/send',
      SMS_HEADERS: '{"X-Key":"{{password}}"}',
      SMS_BODY: '{"to":["{{to}}"],"message":"{{text}}"}',
      SMS_PASSWORD: 'key',
    })
    expect(request.headers).toEqual({ 'x-key': 'key', 'content-type': 'application/json' })
    expect(JSON.parse(request.body ?? '')).toEqual({ to: [to], message: text })
  })

  test('is sent in the URL when there is no body', () => {
    const request = requestWith({ SMS_URL: 'https://sms.example.com/?to={{to}}&m={{text}}' })
    expect(request).toMatchObject({ method: 'GET', body: null })
    const query = new URL(request.url).searchParams
    expect([query.get('to'), query.get('m')]).toEqual([to, text])
  })
})

test('without settings for short messages there is no gateway', () => {
  expect(gatewayOf({})).toBeNull()
})
