import { afterAll, beforeAll, test } from 'vitest'
import { migrate } from '../database/migrate.ts'
import { findPrograms } from '../testing/patroni/programs.ts'
import { type PatroniCluster, startPatroni } from '../testing/patroni/cluster.ts'
import { repetitionLevel } from '../testing/repetition.ts'
import { type FaultShop, faultShop, hookMs, seed } from './counter.ts'
import { drill, type Failure } from './drill.ts'

// The drill of docs/high-availability.md: the leader of a Patroni cluster fails while clerks work.

const found = findPrograms()
const without = 'missing' in found ? found.missing : null
if (without !== null) console.info(`The failover drill is skipped. Debian's packages: ${without}`)

const failures: readonly Failure[] =
  repetitionLevel === 'short'
    ? [{ way: 'machine' }]
    : [{ way: 'machine' }, { way: 'switchover' }, { way: 'Patroni alone' }]

let cluster: PatroniCluster
let at: FaultShop
beforeAll(async () => {
  if (!('programs' in found)) return
  cluster = await startPatroni(found.programs)
  const url = await migrate(cluster.url)
  const replica = url.replace(new URL(url).host, new URL(cluster.standbyUrl).host)
  const environment = { DATABASE_URL: cluster.url, DATABASE_REPLICA_URL: replica }
  at = await faultShop(2, { url, environment })
}, hookMs)
afterAll(async () => {
  await at?.close()
  await cluster?.close()
}, hookMs)

test.skipIf(without !== null)(
  `a leader that fails loses nothing that was acknowledged (seed ${seed})`,
  () => drill(cluster, at, failures),
  failures.length * 90_000 + 120_000,
)
