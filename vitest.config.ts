import { defineConfig } from 'vitest/config'
import { preactInsteadOfReact } from './portal/vite.preact.ts'

// The parts of the engine that use PostgreSQL in the most ways.
const onOlderPostgres = ['company', 'coupon', 'database', 'dossier', 'integration', 'jobs'].concat([
  'points',
  'register',
  'setup',
  'spending',
  'staff',
  'tier',
  'transaction',
])

// Races, keys, revocations, permissions and faults of the calls that a database function can answer.
const withoutFunctions = ['coupon/*', 'points/*', 'points/replay/*', 'points/books/{late,months}']
  .concat(['spending/*', 'allowance/*', 'staff/*', 'dossier/*', 'merge/*', 'integration/*'])
  .concat(['transaction/*', 'http/authorisation', 'http/facts', 'http/foreign-ids', 'http/keys/*'])
  .concat(['http/at-once/*', 'http/other-process', 'database/two-processes', 'outbox/events'])
  .concat(['activity/operation', 'database/claims'])
  .concat(['race', 'returns', 'property'].map((name) => `jobs/${name}.slow`))
  .concat(['answers', 'away', 'full', 'kill', 'postgres'].map((name) => `faults/${name}.slow`))
  .concat(['at-once', 'between', 'raises', 'running'].map((name) => `faults/${name}.slow`))
  .concat(['crowd', 'pair'].map((name) => `faults/${name}.long`))

// The same of the calls of a session or an API key that a process can remember.
const withoutMemory = ['coupon/*', 'points/*', 'points/replay/*', 'spending/*', 'allowance/*']
  .concat(['staff/*', 'staff/roster/*', 'staff/throttle/*', 'member/look-up', 'http/*'])
  .concat(['http/keys/*', 'http/at-once/*', 'http/places/*', 'integration/*', 'transaction/*'])
  .concat(['activity/operation', 'dossier/*', 'merge/*', 'database/two-processes'])
  .concat(['race', 'returns', 'property'].map((name) => `jobs/${name}.slow`))
  .concat(['answers', 'away', 'full', 'kill', 'postgres'].map((name) => `faults/${name}.slow`))
  .concat(['at-once', 'between', 'raises', 'running'].map((name) => `faults/${name}.slow`))
  .concat(['crowd', 'pair'].map((name) => `faults/${name}.long`))

// The subject of these files is the call in one round trip, which these projects switch off, or a
// comparison of both ways, which makes both itself. So do `faults/two-ways` and `at-once/*` of
// coupons, points and returns, which no list names. `faults/failover` and `faults/no-room` are
// about the machine: `faults/postgres` and `faults/full` have the same calls.
const aboutFunctions = ['at-once', 'http/at-once/keys', 'spending/events'].map(
  (name) => `**/${name}.test.ts`,
)

/** The long tests that no list above names. */
const otherLong = '**/!(crowd|pair).long.test.ts'

// The subject of these files is the memory of a process.
const aboutMemory = ['**/held.test.ts', '**/remembered.test.ts']

// Statements of the endpoints, and of the shortcuts, that successive connections of a pooler run:
// also their races, keys, revocations, permissions and the faults of this process. Tests that start
// processes are left out, because these do not use the pooler.
const pooled = ['coupon/*', 'coupon/at-once/*', 'points/*', 'points/at-once/*', 'points/replay/*']
  .concat(['spending/*', 'transaction/{at-once,record,returns,reversal}', 'transaction/returns/*'])
  .concat(['allowance/*', 'integration/*'])
  .concat(['staff/*', 'staff/roster/*', 'staff/throttle/*', 'member/look-up', 'dossier/*'])
  .concat(['merge/{merge,races}', 'activity/operation', 'http/at-once/*', 'http/keys/*'])
  .concat(['http/authorisation', 'http/facts', 'http/foreign-ids', 'http/places/guesses'])
  .concat(['jobs/race.slow'])
  .concat(['at-once', 'between', 'raises', 'running'].map((name) => `faults/${name}.slow`))

// The endpoints, on a cluster.
const onCluster = ['activity', 'allowance', 'coupon', 'integration', 'member', 'outbox']
  .concat(['register', 'spending', 'staff', 'tier', 'verification'])
  .map((folder) => `server/src/${folder}/**/*.test.ts`)
// Calls in one round trip are off there. Citus has no triggers, which an earlier release and SQL by
// hand need, and some tests write rows in ways that Citus refuses. Others look for a lock that is on
// another node, and leave it behind.
const notOnCluster = [
  'at-once',
  'audited',
  'held',
  'search',
  'list-plan',
  'notes',
  'look-up-audit',
].concat([
  'allowance/look-up',
  'at-once/*',
  'coupon/key',
  'coupon/stock',
  'earlier-*',
  'outbox/forget',
  'search-plan',
  'spending/events',
  'verification/*',
])
// Its lock on a copied table stops the changes of all companies on a cluster.
const aloneOnCluster = 'practice/locked'

// Shared by the projects that need PostgreSQL. One PostgreSQL serves the whole project, and every
// test file creates its own companies in it.
// The time limits only end a test that hangs; a busy machine takes several times what a quiet one
// takes.
const onPostgres = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  setupFiles: ['server/src/testing/setup.ts'],
}

export default defineConfig({
  test: {
    // A worker loads the program once and keeps it for all its test files. Loading it again for
    // each file takes longer than most files run. A test that changes a global (an environment
    // variable, a timer) has to restore it.
    isolate: false,
    // CI prints the message of a failure only, so the message has to show both values.
    chaiConfig: { truncateThreshold: 1_000 },
    projects: [
      {
        extends: true,
        test: {
          ...onPostgres,
          name: 'server',
          include: ['contract', 'client', 'server'].map((folder) => `${folder}/src/**/*.test.ts`),
          exclude: ['slow', 'long', 'cluster', 'parts'].map((kind) => `**/*.${kind}.test.ts`),
          globalSetup: 'server/src/testing/servers/postgres.ts',
          maxWorkers: 2,
        },
      },
      {
        // Tests that mostly wait, or that kill processes: time limits, races, faults, restores.
        // More workers than processors keep the machine busy while some tests wait.
        extends: true,
        test: {
          ...onPostgres,
          name: 'slow',
          testTimeout: 120_000,
          include: ['server/src/**/*.slow.test.ts', 'tools/**/*.slow.test.ts'],
          globalSetup: 'server/src/testing/servers/postgres.ts',
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Only in `npm run test:all`.
        extends: true,
        test: {
          ...onPostgres,
          name: 'long',
          include: ['server/src/**/*.long.test.ts', 'tools/**/*.long.test.ts'],
          globalSetup: 'server/src/testing/servers/postgres.ts',
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Endpoint tests through pgbouncer, only in `npm run test:all`.
        extends: true,
        test: {
          ...onPostgres,
          name: 'pooled',
          include: pooled.map((name) => `server/src/${name}.test.ts`),
          exclude: ['**/*.long.test.ts'],
          env: { CUTS: '6' },
          globalSetup: 'server/src/testing/servers/pgbouncer.ts',
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // The calls that a database function can answer, without it; only in `npm run test:all`.
        extends: true,
        test: {
          ...onPostgres,
          name: 'several round trips',
          include: withoutFunctions.map((name) => `server/src/${name}.test.ts`),
          exclude: [otherLong, ...aboutFunctions],
          // The random sequences would take half of its time.
          env: { ONE_ROUND_TRIP: '0', PROPERTY_RUNS: '30', CUTS: '6' },
          globalSetup: 'server/src/testing/servers/postgres.ts',
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // Each request reads its session in full; only in `npm run test:all`.
        extends: true,
        test: {
          ...onPostgres,
          name: 'without memory',
          include: withoutMemory.map((name) => `server/src/${name}.test.ts`),
          exclude: [otherLong, '**/http/*.slow.test.ts'].concat(aboutMemory, aboutFunctions),
          env: { REMEMBER_SESSIONS: '0', PROPERTY_RUNS: '30', CUTS: '6' },
          globalSetup: 'server/src/testing/servers/postgres.ts',
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      // Each supported PostgreSQL before the packaged one, only in `npm run test:all`.
      ...['postgres 16', 'postgres 17'].map((name) => ({
        extends: true as const,
        test: {
          ...onPostgres,
          name,
          include: onOlderPostgres.map((folder) => `server/src/${folder}/**/*.test.ts`),
          exclude: ['**/*.slow.test.ts', '**/*.long.test.ts'],
          globalSetup: 'server/src/testing/servers/older-postgres.ts',
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      })),
      {
        // Placed tables in parts, as on the nodes of a cluster; only in `npm run test:all`.
        extends: true,
        test: {
          ...onPostgres,
          name: 'parts',
          include: [
            ...onCluster,
            'server/src/{company,dossier,http,jobs,merge,points}/**/*.test.ts',
            'server/src/{practice,setup,transaction}/**/*.test.ts',
            'server/src/cluster/*.parts.test.ts',
          ],
          // The plan of a table in parts has other names. An earlier release, and SQL by hand, need
          // triggers, which Citus does not have.
          exclude: ['*.slow', '*.long', 'search-plan', 'earlier-*', 'remembered']
            .concat('coupon/key')
            .map((name) => `**/${name}.test.ts`),
          globalSetup: 'server/src/testing/parts/setup.ts',
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // On the cluster of CLUSTER_URL, only in `npm run test:cluster`.
        extends: true,
        test: {
          ...onPostgres,
          name: 'cluster',
          include: [
            ...onCluster,
            'server/src/{company,dossier,jobs,merge,points,practice,setup,transaction}/*.test.ts',
            'server/src/http/**/*.test.ts',
            'server/src/transaction/import/*.test.ts',
            'server/src/points/books/*.test.ts',
            'server/src/database/two-processes.test.ts',
            'server/src/cluster/*.cluster.test.ts',
          ],
          exclude: [
            '**/*.slow.test.ts',
            '**/*.long.test.ts',
            ...[...notOnCluster, aloneOnCluster].map((name) => `**/${name}.test.ts`),
          ],
          setupFiles: onPostgres.setupFiles.concat('server/src/testing/cluster/watch.ts'),
          env: { ONE_ROUND_TRIP: '0', ON_CLUSTER: '1' },
          globalSetup: 'server/src/testing/cluster/setup.ts',
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // These tests kill a node, move rows, or lock a table. They run one file at a time, after
        // the others.
        extends: true,
        test: {
          ...onPostgres,
          name: 'cluster faults',
          include: [
            'server/src/faults/cluster/*.cluster.test.ts',
            `server/src/${aloneOnCluster}.test.ts`,
          ],
          setupFiles: onPostgres.setupFiles.concat('server/src/testing/cluster/watch.ts'),
          env: { ONE_ROUND_TRIP: '0', ON_CLUSTER: '1' },
          globalSetup: 'server/src/testing/cluster/setup.ts',
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        resolve: { alias: preactInsteadOfReact },
        test: {
          name: 'portal',
          include: ['portal/src/**/*.test.ts', 'examples/*/src/**/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: 'house',
          include: ['tools/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.slow.test.ts', '**/*.long.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
