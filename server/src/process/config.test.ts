import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot, readConfig } from './config.ts'

describe('the environment', () => {
  test('may be empty', () => {
    expect(readConfig({})).toEqual({
      production: false,
      development: true,
      port: 8080,
      host: '127.0.0.1',
      databaseUrl: undefined,
      databaseAppUrl: undefined,
      replicaUrl: undefined,
      dataDir: join(projectRoot, 'data'),
      isDatabaseNamed: false,
      archiveDir: null,
      portalDir: join(projectRoot, 'portal/dist'),
      demo: true,
      processes: 1,
      jobs: true,
      oneRoundTrip: true,
      remembersSessions: true,
      metrics: null,
      trustedProxies: [],
      drainSeconds: 0,
      requestsPerMinute: 12_000,
      publicUrl: 'http://127.0.0.1:8080',
      apiRoots: {},
      portalOrigins: [],
      mail: null,
      sms: null,
      logLevel: 'info',
    })
  })

  test('may leave a value empty, as shells and compose files do', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', DEMO: '' })).toEqual(readConfig({}))
  })

  test('sets every value', () => {
    const config = readConfig({
      NODE_ENV: 'test',
      PORT: '0',
      HOST: '::1',
      DATABASE_URL: 'postgres://owner:secret@db.example.com/tillside',
      DATABASE_APP_URL:
        'postgresql://tillside_app:secret@db.example.com/tillside?pooler=transaction',
      DATABASE_REPLICA_URL: 'postgres://tillside_app:secret@standby.example.com/tillside',
      DATA_DIR: '/srv/tillside',
      PORTAL_DIR: '/srv/portal',
      DEMO: '0',
      JOBS: '0',
      ONE_ROUND_TRIP: '0',
      REMEMBER_SESSIONS: '0',
      PROCESSES: '4',
      METRICS_PORT: '9464',
      METRICS_HOST: '10.0.0.7',
      TRUST_PROXY: '127.0.0.1, ::1,10.0.0.0/8',
      DRAIN_SECONDS: '5',
      KEY_REQUESTS_PER_MINUTE: '600',
      PUBLIC_URL: 'https://counter.example.com/',
      API_ROOT_QA: 'https://api.qa.example.com/loyalty/',
      API_ROOT_PRODUCTION: 'https://api.example.com',
      PORTAL_ORIGINS: 'https://counter.example.com, http://localhost:5173',
      SMTP_URL: 'smtps://shop:secret@mail.example.com',
      SMTP_FROM: 'counter@example.com',
      SMS_PROVIDER: 'twilio',
      SMS_USER: 'AC1',
      SMS_PASSWORD: 'token',
      SMS_FROM: '+15005550006',
      LOG_LEVEL: 'warn',
      HOME: '/somewhere',
    })
    expect(config).toEqual({
      production: false,
      development: false,
      port: 0,
      host: '::1',
      databaseUrl: 'postgres://owner:secret@db.example.com/tillside',
      databaseAppUrl: 'postgresql://tillside_app:secret@db.example.com/tillside?pooler=transaction',
      replicaUrl: 'postgres://tillside_app:secret@standby.example.com/tillside',
      dataDir: '/srv/tillside',
      isDatabaseNamed: true,
      archiveDir: null,
      portalDir: '/srv/portal',
      demo: false,
      processes: 4,
      jobs: false,
      oneRoundTrip: false,
      remembersSessions: false,
      metrics: { port: 9464, host: '10.0.0.7' },
      trustedProxies: ['127.0.0.1', '::1', '10.0.0.0/8'],
      drainSeconds: 5,
      requestsPerMinute: 600,
      publicUrl: 'https://counter.example.com',
      apiRoots: {
        qa: 'https://api.qa.example.com/loyalty',
        production: 'https://api.example.com',
      },
      portalOrigins: ['https://counter.example.com', 'http://localhost:5173'],
      mail: { url: 'smtps://shop:secret@mail.example.com', from: 'counter@example.com' },
      sms: expect.objectContaining({ user: 'AC1', password: 'token', from: '+15005550006' }),
      logLevel: 'warn',
    })
  })

  test('resolves a relative folder from the project, not from the working directory', () => {
    expect(readConfig({ DATA_DIR: './shop' }).dataDir).toBe(join(projectRoot, 'shop'))
  })

  test('allows an archive only for the embedded PostgreSQL', () => {
    expect(readConfig({ ARCHIVE_DIR: '/srv/archive' }).archiveDir).toBe('/srv/archive')
    const both = { ARCHIVE_DIR: '/srv/archive', DATABASE_URL: 'postgres://db.example.com/shop' }
    expect(() => readConfig(both)).toThrow(/^ARCHIVE_DIR is only for the embedded PostgreSQL/)
  })

  test('has no demo in production, even with DEMO=1', () => {
    expect(readConfig({ NODE_ENV: 'production' }).demo).toBe(false)
    expect(readConfig({ NODE_ENV: 'production', DEMO: '1' }).demo).toBe(false)
    expect(readConfig({ DEMO: '1' }).demo).toBe(true)
  })

  test.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '65536'],
    ['PORT', '99999'],
    ['NODE_ENV', 'prod'],
    ['DATABASE_URL', 'mysql://localhost/tillside'],
    ['DATABASE_URL', 'postgres:/shop'],
    ['DATABASE_URL', 'postgres://owner:a/b@db.example.com:x/shop'],
    ['DATABASE_URL', 'postgres://localhost/tillside?pooler=transaction'],
    ['DATABASE_APP_URL', 'localhost'],
    ['DATABASE_REPLICA_URL', 'standby'],
    ['DATABASE_APP_URL', 'postgres://localhost/tillside?pooler=session'],
    ['DATABASE_APP_URL', 'postgres://localhost/tillside?pooler=transactions'],
    ['ARCHIVE_DIR', "/srv/o'clock"],
    ['DEMO', 'yes'],
    ['PROCESSES', '0'],
    ['PROCESSES', 'all'],
    ['METRICS_PORT', 'on'],
    ['METRICS_PORT', '70000'],
    ['TRUST_PROXY', 'nginx'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '127.0.0.1,'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '127.0.0.1,::/0'],
    ['TRUST_PROXY', '10.0.0.0/00'],
    ['DRAIN_SECONDS', '-1'],
    ['DRAIN_SECONDS', '301'],
    ['KEY_REQUESTS_PER_MINUTE', '0'],
    ['LOG_LEVEL', 'loud'],
    ['PUBLIC_URL', 'counter.example.org'],
    ['PUBLIC_URL', 'https://counter.example.com/portal'],
    ['API_ROOT_QA', 'api.example.com'],
    ['API_ROOT_UAT', 'https://api.example.com;script-src'],
    ['API_ROOT_PRODUCTION', 'https://api.example.com/?x'],
    ['PORTAL_ORIGINS', '*'],
    ['PORTAL_ORIGINS', 'https://counter.example.com/'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_FROM', 'nobody'],
    ['SMS_PROVIDER', 'pigeon'],
    ['SMS_URL', 'ftp://sms.example.com'],
    ['SMS_HEADERS', 'authorization: secret'],
    ['SMS_HEADERS', '{"a b":"c"}'],
    ['SMS_ANSWER', '('],
    ['SMS_PASSWORD', 'line\nfeed'],
  ])('%s=%s is refused in one line that names the variable and hides the value', (name, value) => {
    let message = ''
    try {
      readConfig({ [name]: value })
    } catch (error) {
      message = error instanceof Error ? error.message : ''
    }
    expect(message).toMatch(new RegExp(`^${name} is not a valid value: it must be .+$`))
    if (name.includes('URL')) expect(message).not.toContain(value)
  })

  test.each([
    ['PORT', 'http', 'a port number from 0 to 65535'],
    ['DEMO', 'yes', '0 or 1'],
    ['NODE_ENV', 'prod', 'development, production or test'],
    [
      'DATABASE_URL',
      'mysql://shop',
      'postgres://user:password@host:5432/database, without a pooler',
    ],
  ])('%s=%s is refused with the values that are allowed', (name, value, values) => {
    const message = `${name} is not a valid value: it must be ${values}`
    expect(() => readConfig({ [name]: value })).toThrow(new Error(message))
  })

  test.each([
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'SMTP_URL needs SMTP_FROM'],
    [{ SMS_PROVIDER: 'twilio', SMS_USER: 'AC1', SMS_PASSWORD: 'x' }, 'need SMS_FROM'],
    [{ SMS_PROVIDER: 'yunpian' }, 'need SMS_PASSWORD'],
    [
      { SMS_URL: 'https://sms.example.com', SMS_BODY: '{"to":"{{to}}"}' },
      'needs the placeholder {{text}}',
    ],
    [
      { SMS_URL: 'https://sms.example.com/?t={{text}}&x={{who}}' },
      'an unknown placeholder {{who}}',
    ],
  ])('%o is refused with the name of the missing variable', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message)
  })
})
