import type { Browser } from 'playwright-core'
import { printFigure } from '../report.ts'
import type { World } from '../world.ts'
import { newPage, newPhone } from './browser.ts'

const members = 500
const target = 10

/** Measures the additional memory of a phone after 500 members were opened one after another. */
export async function measureDay(browser: Browser, world: World): Promise<void> {
  const phone = await newPhone(browser, world)
  const { page, session } = await newPage(phone, 'plain')
  await session.send('HeapProfiler.enable')
  const heapMib = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    return usedSize / 1024 / 1024
  }
  async function open(n: number): Promise<void> {
    const mobile = page.getByRole('textbox', { name: 'Mobile' })
    await mobile.fill(String(60_000_000 + n))
    await page.getByRole('button', { name: /Open$/ }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goBack()
    await mobile.waitFor()
  }
  await page.goto(`${world.product}/bench/member/search/index`)
  await page.locator('input:focus').waitFor()
  // Ten first, so that the code of every screen is loaded.
  for (let n = 1; n <= 10; n++) await open(n)
  const before = await heapMib()
  for (let n = 11; n <= 10 + members; n++) await open(n)
  const after = await heapMib()
  await phone.close()
  printFigure({
    name: `memory after ${members} members opened`,
    value: after - before,
    unit: 'MiB more',
    target,
    better: 'less',
    from: { 'before MiB': before, 'after MiB': after },
  })
}
