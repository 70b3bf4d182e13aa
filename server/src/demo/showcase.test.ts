import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addDays } from '@tillside/contract/rules/day'
import { lifeOf } from '../points/earn.ts'
import { readFolder } from '../setup/folder.ts'
import { atLevel } from '../testing/repetition.ts'
import { clockOf } from '../practice/clock.ts'
import { demoFolder } from './companies.ts'
import { shops } from './goods.ts'
import { visitsOf } from './showcase.ts'

// Five and seven have no common factor, so the short run has every day of the week too.
const everyDays = atLevel({ short: 5, full: 1, long: 1 })

test('on the days of two years, exactly 1,200 of the points expire within 60 days', async () => {
  let days = 0
  for (const name of ['aurora', 'lotus', 'harbour', 'formosa']) {
    const { definition } = await readFolder(join(demoFolder, name))
    const shop = shops[name]
    if (shop === undefined) throw new Error(`${name} sells nothing`)
    for (let n = 0; n < 731; n += everyDays) {
      const today = addDays('2027-07-01', n)
      const visits = visitsOf({ definition, shop, clock: clockOf(definition.timeZone, today) })
      const completed = visits.filter((visit) => visit.status === 'completed')
      const ending = completed.filter(({ day }) => {
        const { expiresOn } = lifeOf(day, definition.points)
        return expiresOn !== null && expiresOn <= addDays(today, 60)
      })
      const early = completed.slice(0, ending.length)
      const sum = ending.reduce((points, visit) => points + visit.points, 0)
      const first = visits[0]?.day ?? today
      const ended = lifeOf(first, definition.points).expiresOn ?? today
      // 1,700, because 500 of the first lots are spent later.
      const oldest = addDays(today, -800)
      const past = visits.every(({ day }) => day < today && day > oldest)
      if (sum !== 1_700 || ended < today || !past || ending.some((v, i) => v !== early[i])) {
        throw new Error(`${name} would be shown wrongly on ${today}: ${JSON.stringify(visits)}`)
      }
      days += 1
    }
  }
  expect(days).toBe(4 * Math.ceil(731 / everyDays))
})
