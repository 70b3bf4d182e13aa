import type { Browser } from 'playwright-core'
import { fillCoupons, fillMembers, settle } from '../fill.ts'
import { type Form, say } from '../report.ts'
import { openWorld, type World } from '../world.ts'
import { measureActions } from './actions.ts'
import { openBrowser } from './browser.ts'
import { measureLoads } from './loads.ts'
import { measureLastKey } from './last-key.ts'
import { measureDay } from './memory.ts'

const members = 1_000

/** Measures first and repeated loads of the portal's pages. */
export function measurePages(form: Form): Promise<void> {
  return inBrowser('page', (browser, world) => measureLoads(browser, world, form))
}

/** Measures how soon the portal responds to a touch. */
export function measureTouches(): Promise<void> {
  return inBrowser('touch', async (browser, world) => {
    await measureActions(browser, world, 'plain')
    await measureActions(browser, world, 'slow')
    await measureLastKey(browser, world)
  })
}

/** Measures the memory of a browser after a day at a counter. */
export function measureMemory(): Promise<void> {
  return inBrowser('memory', measureDay)
}

async function inBrowser(
  part: string,
  work: (browser: Browser, world: World) => Promise<void>,
): Promise<void> {
  const browser = await openBrowser()
  if (browser === null) return say(`${part}: skipped, there is no Chromium`)
  const world = await openWorld()
  try {
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await fillCoupons(world.ownerUrl, world.companyId, 0, 3 * members, members)
    await settle(world.ownerUrl, world.companyId)
    await work(browser, world)
  } finally {
    await browser.close()
    await world.close()
  }
}
