import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { login } from '@tillside/contract/auth'
import { redeemCoupon } from '@tillside/contract/coupon'
import { basePath } from '@tillside/contract/wire/endpoint'
import { getOneCustomer } from '@tillside/contract/member'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { runJob } from '../jobs/job.ts'
import { jobs } from '../jobs/runner.ts'
import { projectRoot } from '../process/config.ts'
import { openDatabase, statement } from '../database/database.ts'
import { password, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { post, type ServerProcess, startServer } from '../testing/servers/process.ts'
import { pauseSeconds } from '../verification/send.ts'
import { createMetrics } from './registry.ts'

// The program with a metrics port, queried like Prometheus does.
let company: TestCompany
let member: { id: string; memberCode: string }
let server: ServerProcess
let address: string
let metricsAddress: string
let text: string

const known = { account: 'amy', password: 'Wrong#2026', secret: '' }

beforeAll(async () => {
  company = await testCompany()
  member = await testMember(company)
  await runJob(company.database, company.id, jobs.retention, pino({ level: 'silent' }), {
    now: true,
  })
  await company.database.transaction(company.id, (tx) => tx.run(leaveMail, [company.id]))
  server = startServer({ DATABASE_URL: inject('ownerUrl'), METRICS_PORT: '0' })
  address = await server.ready
  metricsAddress = /^Metrics are at (\S+)$/m.exec(server.output())?.[1] ?? ''
  await callSome()
  text = await (await fetch(metricsAddress)).text()
})
afterAll(async () => {
  server.process.kill('SIGKILL')
  await company.close()
})

const leaveMail = statement(
  `insert into message (company_id, message_id, channel, recipient, content, created_at, not_after)
   values ($1, uuidv7(), 'email', 'somebody@example.com', '{"subject":"","text":"1234"}',
     now() - interval '100 seconds', now() + interval '1 hour')`,
  z.unknown(),
)

async function callSome(): Promise<void> {
  const { identifier } = company
  const { account } = known
  const info = await post(address, login, { identifier, account, password })
  known.secret = z.object({ token: z.string() }).parse(info.data).token
  await post(address, login, { identifier, account, password: known.password })
  await post(address, login, { identifier, account, password: known.password })
  const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }
  expect((await fetch(address + basePath + login.path, broken)).status).toBe(200)
  const headers = { authorization: `Bearer ${known.secret}` }
  const look = `${address}${basePath}${getOneCustomer.path}?code=${member.memberCode}`
  expect((await fetch(look, { headers })).status).toBe(200)
  expect((await fetch(look)).status).toBe(401)
  // The first code is unknown, which only the route explains; a function redeems the coupon.
  for (const couponCode of ['NONE', await testCoupon(company, member)]) {
    const redemption = { couponCode, memberCode: member.memberCode }
    await post(address, redeemCoupon, redemption, { ...headers, 'idempotency-key': randomUUID() })
  }
  await fetch(`${address}/nowhere/${member.memberCode}.txt`)
}

/** The value of the only series with these labels, or undefined. */
function valueOf(name: string, labels: Record<string, string> = {}): number | undefined {
  const found = seriesOf(text).filter(
    (series) =>
      series.name === name && Object.entries(labels).every(([k, v]) => series.labels[k] === v),
  )
  expect(found.length).toBeLessThan(2)
  return found[0]?.value
}

describe('metrics', () => {
  test('count answers by route pattern and outcome', () => {
    const name = 'tillside_request_duration_seconds_count'
    const logIn = { endpoint: basePath + login.path }
    expect(valueOf(name, { ...logIn, outcome: 'done' })).toBe(1)
    // Two wrong passwords, and a body that is not JSON.
    expect(valueOf(name, { ...logIn, outcome: 'refused' })).toBe(3)
    const look = { endpoint: basePath + getOneCustomer.path }
    expect(valueOf(name, { ...look, outcome: 'done' })).toBe(1)
    expect(valueOf(name, { ...look, outcome: 'rejected' })).toBe(1)
    expect(valueOf(name, { endpoint: 'none', outcome: 'rejected' })).toBe(1)
  })

  test('count callers by the way in which they were found', () => {
    expect(valueOf('tillside_callers_total', { source: 'database' })).toBe(1)
    expect(valueOf('tillside_callers_total', { source: 'memory' })).toBe(1)
    for (const answered of ['no', 'yes']) {
      const redemption = { endpoint: redeemCoupon.path, answered }
      expect(valueOf('tillside_one_round_trip_total', redemption)).toBe(1)
    }
  })

  test('measure the duration of answers', () => {
    const labels = { endpoint: basePath + login.path, outcome: 'done' }
    const sum = valueOf('tillside_request_duration_seconds_sum', labels) ?? 0
    expect(sum).toBeGreaterThan(0)
    expect(valueOf('tillside_request_duration_seconds_bucket', { ...labels, le: '+Inf' })).toBe(1)
  })

  test('show the pool, the queue, the jobs and the process', () => {
    expect(valueOf('tillside_pool_connections')).toBeGreaterThan(0)
    expect(valueOf('tillside_pool_waiting')).toBe(0)
    expect(valueOf('tillside_database_up')).toBe(1)
    const mail = { company: company.identifier, channel: 'email' }
    expect(valueOf('tillside_outbox_waiting', mail)).toBe(1)
    expect(valueOf('tillside_outbox_oldest_seconds', mail)).toBeGreaterThanOrEqual(100)
    const done = { company: company.identifier, task: 'retention' }
    expect(valueOf('tillside_job_age_seconds', done)).toBeGreaterThanOrEqual(0)
    expect(valueOf('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(valueOf('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  })

  test('contain no personal data', () => {
    for (const word of [member.memberCode, known.account, known.secret, known.password]) {
      expect(text).not.toContain(word)
    }
    expect(text).not.toContain('somebody@')
    const endpoints = seriesOf(text).flatMap(({ labels: { endpoint } }) => endpoint ?? [])
    expect(new Set(endpoints)).toEqual(
      new Set([
        ...[login, getOneCustomer, redeemCoupon].map(({ path }) => basePath + path),
        redeemCoupon.path,
        'none',
      ]),
    )
  })

  test('are served only on their own port, with nothing else', async () => {
    expect((await fetch(`${address}/metrics`)).headers.get('content-type')).not.toMatch(/plain/)
    expect((await fetch(new URL('/healthz', metricsAddress))).status).toBe(404)
    expect((await fetch(metricsAddress, { method: 'POST' })).status).toBe(404)
  })

  test('report an unavailable database, without old values', async () => {
    const away = openDatabase('postgres://nobody:none@127.0.0.1:1/none', 1)
    text = await createMetrics(company.database, away).text()
    await away.close()
    expect(valueOf('tillside_database_up')).toBe(0)
    expect(text).toContain('# TYPE tillside_outbox_waiting gauge')
    expect(seriesOf(text).filter(({ name }) => name.startsWith('tillside_outbox'))).toEqual([])
  })
})

describe('dashboard and alerts', () => {
  const Dashboard = z.object({
    panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
  })
  const Rules = z.object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({ alert: z.string(), expr: z.string(), for: z.optional(z.string()) }),
        ),
      }),
    ),
  })
  const dashboard = (): string[] =>
    Dashboard.parse(JSON.parse(read('grafana-dashboard.json'))).panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr),
    )
  const alerts = () => Rules.parse(parse(read('alerts.yml'))).groups.flatMap((group) => group.rules)
  const rules = (): string[] => alerts().map(({ expr }) => expr)

  test.each([
    ['the dashboard', dashboard],
    ['the alerts', rules],
  ])('%s uses only exported metrics and labels', async (_name, expressions) => {
    const exposed = seriesOf(await (await fetch(metricsAddress)).text())
    // Labels that Prometheus adds to every target.
    const labels = new Set([
      'job',
      'instance',
      ...exposed.flatMap((series) => Object.keys(series.labels)),
    ])
    const names = new Set(['up', ...exposed.map(({ name }) => name)])
    const asked = expressions().map(askedBy)
    expect(asked.flatMap((one) => one.names).filter((name) => !names.has(name))).toEqual([])
    expect(asked.flatMap((one) => one.labels).filter((label) => !labels.has(label))).toEqual([])
    expect(asked.every((one) => one.names.length > 0)).toBe(true)
  })

  test('codes that are not sent raise an alert before they expire', () => {
    const late = alerts().find(({ expr }) => expr.includes('channel=~"sms|email"'))
    const seconds = Number(/> (\d+)$/.exec(late?.expr.trim() ?? '')?.[1])
    expect(seconds).toBeGreaterThan(0)
    // A new code replaces the message, so a message that a clerk repeats is never older.
    expect(seconds).toBeLessThan(pauseSeconds)
    expect(late?.for).toBeUndefined()
    const others = alerts().filter(({ expr }) => expr.includes('tillside_outbox_oldest_seconds'))
    for (const { expr } of others) expect(expr).toContain('{channel=')
  })
})

const read = (file: string): string => readFileSync(join(projectRoot, 'ops', file), 'utf8')

type Series = { name: string; labels: Record<string, string>; value: number }

function seriesOf(exposition: string): Series[] {
  return exposition.split('\n').flatMap((line) => {
    const found = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line)
    if (found === null) return []
    const [, name = '', inside = '', value = ''] = found
    const labels = [...inside.matchAll(/(\w+)="([^"]*)"/g)].map(([, k = '', v = '']) => [k, v])
    return { name, labels: Object.fromEntries(labels), value: Number(value) }
  })
}

/** The metrics and labels in a PromQL expression. */
function askedBy(expression: string): { names: string[]; labels: string[] } {
  const bare = expression.replaceAll(/"[^"]*"/g, '""')
  const lists = [...bare.matchAll(/\b(?:by|without|on)\s*\(([^)]*)\)/g)]
  const matchers = [...bare.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*""/g)]
  const rest = bare
    .replaceAll(/\b(?:by|without|on)\s*\([^)]*\)|\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:and|or|unless|bool)\b/g, ' ')
  return {
    names: [...rest.matchAll(/\b([a-z_][\w:]*)\b(?!\s*\()/gi)].map(([, name = '']) => name),
    labels: [
      ...lists.flatMap(([, list = '']) => list.split(',').map((label) => label.trim())),
      ...matchers.map(([, label = '']) => label),
    ],
  }
}
