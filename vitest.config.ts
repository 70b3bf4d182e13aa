import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['contract/src/**/*.test.ts', 'server/src/**/*.test.ts'],
          // One real PostgreSQL for the run; every file makes companies of its own in it.
          globalSetup: 'server/src/testing/postgres.ts',
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
