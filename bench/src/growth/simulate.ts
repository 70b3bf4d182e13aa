import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seeded } from '@tillside/server/values/random'
import { type Form, say, printFigure } from '../report.ts'
import { type CallName, callNames, type Demand, Demands, measureDemands } from './demand.ts'
import { type Station, station, stay } from './queue.ts'

const kept = join(import.meta.dirname, 'demands.json')
const page = join(import.meta.dirname, '../../../docs/growing.md')

/** Assumptions, listed in docs/growing.md. */
const visitsPerYear = 8 // a third of all members visit twice a month
const yearsKept = 5
const hoursPerDay = 12
const peakFactor = 3
/** For each member in a year, redeemed or not. */
const couponsPerYear = 4
/**
 * Calls for each visit: two and a half reads in the proportions of `bench mix`, one sale, and
 * spending.
 */
const perVisit: Readonly<Record<CallName, number>> = {
  'look-up': 1,
  home: 0.5,
  coupons: 0.375,
  points: 0.375,
  receipts: 0.25,
  sale: 1,
  redeem: 0.3,
  spend: 0.1,
}
const node = { cores: 16, busyAtMost: 0.6, bytes: 4e12, fullAtMost: 0.6 }
const roundTripMs = 0.25
/** A commit on the disks of a node and its standby, and a page that is not cached. */
const commitMs = 1
const coldPageMs = 0.1
/**
 * Processor time of PostgreSQL for a call on Citus, in milliseconds: each statement is planned on
 * the node that receives it and again on the node of its rows. Measured on two workers
 * (decision 138); the lists of points and receipts are taken to cost what that of coupons costs.
 */
const clusterMs: Readonly<Record<CallName, number>> = {
  'look-up': 3.0,
  home: 5.7,
  coupons: 3.0,
  points: 3.0,
  receipts: 3.0,
  sale: 6.7,
  redeem: 5.8,
  spend: 10.5,
}
/** Round trips and uncached pages of each call. On Citus each round trip passes a second node. */
const trips: Readonly<Record<CallName, readonly [answers: number, pages: number]>> = {
  'look-up': [1, 4],
  home: [2, 12],
  coupons: [2, 6],
  points: [2, 8],
  receipts: [2, 6],
  sale: [6, 12],
  redeem: [3, 6],
  spend: [5, 12],
}
const writes = new Set<CallName>(['sale', 'redeem', 'spend'])
const nodesPassed = 2
const draws = 200_000

type Plan = {
  members: number
  callsPerSecond: number
  terabytes: number
  /** Nodes needed for the work and for the storage; the larger number counts. */
  forWork: number
  forStorage: number
  nodes: number
  servers: number
  latency: Record<string, { mean: number; p99: number }>
}

/**
 * Calculates the number of nodes and the latency for 10, 100 and 1,000 million members.
 * @param form `short`: uses the last measured demands
 */
export async function simulate(form: Form): Promise<void> {
  if (form === 'normal') {
    await writeFile(kept, `${JSON.stringify(await measureDemands(), null, 2)}\n`)
  }
  const demands = Demands.parse(JSON.parse(await readFile(kept, 'utf8')))
  const plans = [10e6, 100e6, 1000e6].map((members) => planFor(members, demands))
  const tables = `${demandTable(demands)}\n\n${planTable(plans)}`
  say(tables)
  for (const { members, nodes, latency } of plans) {
    const size = `${members / 1e6} million members`
    printFigure({ name: `simulated nodes, ${size}`, value: nodes, unit: 'nodes' })
    const p99 = latency['look-up']?.p99 ?? Number.NaN
    printFigure({ name: `simulated look-up, ${size}`, value: p99, unit: 'ms, p99' })
  }
  const text = await readFile(page, 'utf8')
  const fresh = text.replace(/(<!-- simulated -->\n)[^]*(\n<!-- end -->)/, `$1\n${tables}\n$2`)
  await writeFile(page, fresh)
}

function planFor(members: number, demands: Demands): Plan {
  const { calls, bytesPerMember, bytesPerCoupon } = demands
  const visits = ((members * visitsPerYear) / (365 * hoursPerDay * 3600)) * peakFactor
  const rate = (name: CallName): number => visits * perVisit[name]
  const callsPerSecond = total(rate)
  const work = total((name) => rate(name) * clusterMs[name]) / 1000
  const server = total((name) => rate(name) * calls[name].serverMs) / 1000
  const perYear = total((name) => visitsPerYear * perVisit[name] * calls[name].bytes)
  const bytes = bytesPerMember + yearsKept * (perYear + couponsPerYear * bytesPerCoupon)
  const forWork = Math.ceil(work / (node.cores * node.busyAtMost))
  const forStorage = Math.ceil((members * bytes) / (node.bytes * node.fullAtMost))
  const nodes = Math.max(forWork, forStorage)
  const servers = Math.ceil(server / node.busyAtMost)
  const stations = {
    node: station(work / nodes, node.cores, work / callsPerSecond),
    server: station(server / servers, 1, server / callsPerSecond),
  }
  const latency = Object.fromEntries(
    (['look-up', 'home', 'sale', 'redeem', 'spend'] as const).map((name) => [
      name,
      latencyOf(name, demands, stations),
    ]),
  )
  const terabytes = (members * bytes) / 1e12
  return { members, callsPerSecond, terabytes, forWork, forStorage, nodes, servers, latency }
}

/** The sum over all calls. */
function total(of: (name: CallName) => number): number {
  return callNames.reduce((sum, name) => sum + of(name), 0)
}

/** Milliseconds from the arrival of the request at a server to its answer. */
function latencyOf(
  name: CallName,
  { calls }: Demands,
  stations: Record<'node' | 'server', Station>,
): { mean: number; p99: number } {
  const random = seeded(20_261_121)
  const [answers, pages] = trips[name]
  const fixed =
    answers * nodesPassed * roundTripMs + pages * coldPageMs + (writes.has(name) ? commitMs : 0)
  const at = (where: 'node' | 'server', ms: number): number =>
    1000 * stay(stations[where], ms / 1000, random)
  const took = Float64Array.from(
    { length: draws },
    () => fixed + at('server', calls[name].serverMs) + at('node', clusterMs[name]),
  ).toSorted()
  const mean = took.reduce((sum, ms) => sum + ms, 0) / draws
  return { mean, p99: took[Math.floor(draws * 0.99)] ?? Number.NaN }
}

function demandTable(demands: Demands): string {
  const { calls, bytesPerMember, bytesPerCoupon } = demands
  return tableOf([
    ['call', 'one PostgreSQL, ms', 'Citus, ms', 'server, ms', 'bytes kept'],
    ...callNames.map((name) => demandRow(name, calls[name])),
    ['a new member', '', '', '', bytesPerMember.toFixed(0)],
    ['a coupon', '', '', '', bytesPerCoupon.toFixed(0)],
  ])
}

function demandRow(name: CallName, { databaseMs, serverMs, bytes }: Demand): string[] {
  const onCluster = clusterMs[name].toFixed(1)
  return [name, databaseMs.toFixed(3), onCluster, serverMs.toFixed(3), bytes.toFixed(0)]
}

function planTable(plans: readonly Plan[]): string {
  const row = (name: string, of: (plan: Plan) => string): string[] => [name, ...plans.map(of)]
  const [first] = plans
  return tableOf([
    row('members, millions', ({ members }) => whole(members / 1e6)),
    row('calls a second at the peak', (plan) => whole(plan.callsPerSecond)),
    row('storage, TB', (plan) => plan.terabytes.toFixed(1)),
    row('nodes that the work needs', (plan) => whole(plan.forWork)),
    row('nodes that the storage needs', (plan) => whole(plan.forStorage)),
    row('machines: nodes and the coordinator, each with a standby', ({ nodes }) =>
      whole(2 * (nodes + 1)),
    ),
    row('server processes, a core each', (plan) => whole(plan.servers)),
    ...Object.keys(first?.latency ?? {}).map((name) =>
      row(`${name}: mean, p99 in ms`, ({ latency }) => {
        const { mean = Number.NaN, p99 = Number.NaN } = latency[name] ?? {}
        return `${mean.toFixed(1)}, ${p99.toFixed(1)}`
      }),
    ),
  ])
}

/** A Markdown table in the layout of the formatter; the first row is the header. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [head, rule, ...body].map(line).join('\n')
}

function whole(n: number): string {
  return Math.ceil(n).toLocaleString('en-US')
}
