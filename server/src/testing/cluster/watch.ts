import { afterAll, beforeAll, expect } from 'vitest'
import * as z from 'zod/mini'
import { connectOwner, readRows } from './nodes.ts'
import { endPhases, writers } from './phases.ts'

// Runs before each test file on a cluster: no change of the file may commit in one phase on a node
// where it has written. So a new change is tested as soon as one of the tests makes it.

const Writer = z.object({ name: z.string() })
const readWriters = `select proname as name from pg_proc
  where pronamespace = 'public'::regnamespace and provolatile = 'v'`

beforeAll(async () => {
  const owner = await connectOwner()
  for (const { name } of await readRows(owner, Writer, readWriters)) writers.add(name)
  await owner.end()
})

afterAll(() => {
  const { several, inOnePhase } = endPhases()
  console.info(`${several} changes committed on several nodes, in two phases`)
  expect(inOnePhase).toEqual([])
})
