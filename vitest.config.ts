import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/src/**/*.test.ts'],
          exclude: ['**/*.slow.test.ts'],
          // One real PostgreSQL for the run; every file makes companies of its own in it.
          globalSetup: 'server/src/testing/servers/postgres.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Races, random lives and the public data set: `npm test` runs them, `npm run check` does
        // not.
        test: {
          name: 'slow',
          include: ['server/src/**/*.slow.test.ts'],
          globalSetup: 'server/src/testing/servers/postgres.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Endpoint tests once more, through pgbouncer.
        test: {
          name: 'pooled',
          include: ['coupon/*', 'points/*', 'member/look-up', 'staff/login'].map(
            (name) => `server/src/${name}.test.ts`,
          ),
          exclude: ['**/*.slow.test.ts'],
          globalSetup: 'server/src/testing/servers/pgbouncer.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: { name: 'portal', include: ['portal/src/**/*.test.ts'] },
      },
      {
        test: { name: 'house', include: ['tools/**/*.test.ts'] },
      },
    ],
  },
})
