import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Definition } from '../../company/definition.ts'
import { projectRoot } from '../../process/config.ts'
import { readFolder } from '../../setup/folder.ts'
import { testDefinition } from '../factories/definition.ts'

// Companies whose books are compared with an independent sum: the four demo companies, and two with
// rules that none of them has.

type Changes = Partial<z.input<typeof Definition>>

/** Rules of one company: time zone, points, tiers and gifts; the rest is that of every test. */
export async function bookWorlds(): Promise<Changes[]> {
  const names = ['aurora', 'lotus', 'harbour', 'formosa']
  const demos = await Promise.all(names.map((name) => rulesOf(name)))
  const { points } = testDefinition('a')
  return [
    ...demos,
    {
      ...lasting,
      timeZone: 'Europe/London',
      points: {
        ...points,
        perUnit: '1.5',
        refund: 'debt',
        expiry: { kind: 'fixed', dates: ['02-29', '06-30', '12-31'] },
        expectedRedemption: '0.6',
      },
    },
    {
      ...lasting,
      timeZone: 'Pacific/Auckland',
      points: { ...points, pendingDays: 14, expiry: { kind: 'none' }, refund: 'clamp' },
    },
  ]
}

// The test spans years: the session must stay valid, and every redemption can be undone.
const lasting = { sessionHours: null, undoMinutes: 5_000_000 }

async function rulesOf(name: string): Promise<Changes> {
  const { definition } = await readFolder(join(projectRoot, 'companies', name))
  const { timeZone, points, tiers, tierRules, gifts } = definition
  const texts = { 'en-US': name, 'zh-HK': name }
  const promotions = points.promotions.map((one) => Object.assign({}, one, { names: texts }))
  return {
    ...lasting,
    timeZone,
    tierRules,
    tiers: tiers.map((tier) => Object.assign({}, tier, { names: texts, benefits: {} })),
    gifts: gifts.map(({ id, points: cost }) => ({ id, points: cost, names: texts })),
    points: {
      ...points,
      promotions,
      names: { singular: texts, plural: texts },
      typeNames: {},
    },
  }
}
