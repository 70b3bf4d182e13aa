import * as z from 'zod/mini'

// Short messages are sent by one HTTP request, described in the configuration. Two providers are
// built in; for any other, the request is configured by hand.

const Secret = z.optional(z.string().check(z.maxLength(512), z.regex(/^[\x20-\x7e]+$/)))
const Headers = z.pipe(
  z.pipe(z.string(), z.transform(parseJson)),
  z.record(z.string().check(z.regex(/^[\w-]+$/)), z.string().check(z.regex(/^[\x20-\x7e]*$/))),
)
const Pattern = z.string().check(z.maxLength(200), z.refine(isPattern))

/** The environment variables that configure short messages. */
export const GatewayVariables = z.object({
  SMS_PROVIDER: z.optional(z.enum(['twilio', 'yunpian'])),
  SMS_URL: z.optional(z.string().check(z.regex(/^https?:\/\/[^\s/@]+(\/\S*)?$/))),
  SMS_HEADERS: z.optional(Headers),
  SMS_BODY: z.optional(z.string()),
  SMS_ANSWER: z.optional(Pattern),
  SMS_USER: Secret,
  SMS_PASSWORD: Secret,
  SMS_FROM: Secret,
})
type Variables = z.infer<typeof GatewayVariables>

/** An HTTP request with `{{placeholders}}` for what differs between messages. */
export type Gateway = {
  url: string
  headers: Record<string, string>
  /** Null: a GET request, with everything in its URL. */
  body: string | null
  /** The pattern of an answer to an accepted message; null: any successful status. */
  answer: RegExp | null
  user: string
  password: string
  from: string
}

type Preset = { url: string; headers: Record<string, string>; body: string; answer: string }
const form = { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' }
const presets: Record<NonNullable<Variables['SMS_PROVIDER']>, Preset> = {
  // Programmable Messaging: user is the account's SID, password its token, from a number or sender.
  twilio: {
    url: 'https://api.twilio.com/2010-04-01/Accounts/{{user}}/Messages.json',
    headers: { ...form, authorization: 'Basic {{basic}}' },
    body: 'To={{to}}&From={{from}}&Body={{text}}',
    answer: String.raw`"sid"\s*:\s*"`,
  },
  // 云片 single_send: the password is the apikey; the text must match a template they have approved.
  yunpian: {
    url: 'https://sms.yunpian.com/v2/sms/single_send.json',
    headers: { ...form, accept: 'application/json;charset=utf-8' },
    body: 'apikey={{password}}&mobile={{toFromChina}}&text={{text}}',
    answer: String.raw`"code"\s*:\s*0\b`,
  },
}

const places = ['to', 'toFromChina', 'text', 'from', 'user', 'password', 'basic'] as const
type Place = (typeof places)[number]

/**
 * The gateway that the environment describes, or null.
 * @throws Error with one line that names what is missing
 */
export function gatewayOf(variables: Variables): Gateway | null {
  const { SMS_PROVIDER: provider, SMS_URL: address } = variables
  const preset = provider === undefined ? null : presets[provider]
  const url = address ?? preset?.url
  if (url === undefined) return null
  const gateway: Gateway = {
    url,
    headers: lowerCased({ ...preset?.headers, ...variables.SMS_HEADERS }),
    body: variables.SMS_BODY ?? preset?.body ?? null,
    answer: patternOf(variables.SMS_ANSWER ?? preset?.answer),
    user: variables.SMS_USER ?? '',
    password: variables.SMS_PASSWORD ?? '',
    from: variables.SMS_FROM ?? '',
  }
  gateway.headers['content-type'] ??= 'application/json'
  for (const { name, text } of templatesOf(gateway)) {
    for (const place of placesIn(text)) {
      if (!isPlace(place)) throw new Error(`${name} has an unknown placeholder {{${place}}}`)
      for (const needed of place === 'basic' ? (['user', 'password'] as const) : [place]) {
        if (needed in gateway && Reflect.get(gateway, needed) === '') {
          throw new Error(`short messages need SMS_${needed.toUpperCase()}`)
        }
      }
    }
  }
  if (!templatesOf(gateway).some(({ text }) => text.includes('{{text}}'))) {
    throw new Error('SMS_BODY or SMS_URL needs the placeholder {{text}} for the message')
  }
  return gateway
}

/** The request that sends one message. @param to in E.164 */
export function requestOf(
  gateway: Gateway,
  to: string,
  text: string,
): { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body: string | null } {
  const { user, password, from, body } = gateway
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  const toFromChina = to.replace(/^\+86/, '')
  const values: Record<Place, string> = { to, toFromChina, text, from, user, password, basic }
  const fill = (template: string, write: (value: string) => string): string =>
    template.replaceAll(/\{\{(\w+)\}\}/g, (whole, place: string) =>
      isPlace(place) ? write(values[place]) : whole,
    )
  const headers = Object.fromEntries(
    Object.entries(gateway.headers).map(([name, value]) => [name, fill(value, (v) => v)]),
  )
  return {
    url: fill(gateway.url, encodeURIComponent),
    method: body === null ? 'GET' : 'POST',
    headers,
    body: body === null ? null : fill(body, writerFor(headers['content-type'] ?? '')),
  }
}

function writerFor(contentType: string): (value: string) => string {
  if (contentType.includes('json')) return (value) => JSON.stringify(value).slice(1, -1)
  return contentType.includes('form-urlencoded') ? encodeURIComponent : (value) => value
}

function templatesOf({ url, headers, body }: Gateway): { name: string; text: string }[] {
  return [
    { name: 'SMS_URL', text: url },
    { name: 'SMS_HEADERS', text: Object.values(headers).join(' ') },
    { name: 'SMS_BODY', text: body ?? '' },
  ]
}

function placesIn(text: string): string[] {
  return [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, place = '']) => place)
}

function isPlace(name: string): name is Place {
  return places.some((place) => place === name)
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function patternOf(source: string | undefined): RegExp | null {
  return source === undefined ? null : new RegExp(source, 'u')
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
