import { afterAll, beforeAll, test } from 'vitest'
import { distribute } from '../cluster/distribute.ts'
import { migrate } from '../database/migrate.ts'
import { findPrograms, hasCitus } from '../testing/patroni/programs.ts'
import { type PatroniCluster, startPatroni } from '../testing/patroni/cluster.ts'
import { type FaultShop, faultShop, hookMs, seed } from './counter.ts'
import { drill, type Failure } from './drill.ts'

// The drill with Citus: a coordinator and a worker, each with a standby. Patroni tells the
// coordinator which machine is the new leader of the worker.

const found = findPrograms()
const programs = 'programs' in found && hasCitus(found.programs) ? found.programs : null
if (programs === null)
  console.info(
    'The drill with Citus is skipped. It needs the packages of the failover drill and Citus',
  )

const failures: readonly Failure[] = [
  { way: 'machine', group: 1 },
  { way: 'machine', group: 0 },
]

let cluster: PatroniCluster
let at: FaultShop
beforeAll(async () => {
  if (programs === null) return
  cluster = await startPatroni(programs, 1)
  await migrate(cluster.url, cluster.appUrl)
  await distribute(cluster.url)
  const environment = { DATABASE_URL: cluster.url, DATABASE_APP_URL: cluster.appUrl }
  at = await faultShop(2, { url: cluster.appUrl, environment })
}, 2 * hookMs)
afterAll(async () => {
  await at?.close()
  await cluster?.close()
}, hookMs)

test.skipIf(programs === null)(
  `with Citus, leaders that fail lose nothing that was acknowledged (seed ${seed})`,
  () => drill(cluster, at, failures),
  failures.length * 90_000 + 120_000,
)
