import { expect, test } from 'vitest'
import { startServer } from '../testing/servers/process.ts'
import { startOlderPostgres } from '../testing/servers/older-postgres.ts'

// Supported versions have projects of their own in vitest.config.ts.
test('a PostgreSQL that is too old is refused in one line', { timeout: 300_000 }, async () => {
  const postgres = await startOlderPostgres('15.18.0-beta.17')
  try {
    expect(await startServer({ DATABASE_URL: postgres.url }).ended).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Tillside could not start: PostgreSQL 15.18 is not supported; ' +
        'the supported versions are 16, 17 and 18\n',
    })
  } finally {
    await postgres.close()
  }
})
