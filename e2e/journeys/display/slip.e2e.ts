import type { Page } from '@playwright/test'
import { expect, test } from '../../support/fixtures.ts'
import { scan } from '../../support/browser/scanner.ts'
import { english } from '../../support/portal/catalogue.ts'
import {
  birthday,
  couponTicket,
  listenForRedeems,
  openMember,
  sheet,
} from '../../support/portal/member-page.ts'

// The printed slip of a redemption, and the way back from its code to the redemption.

const ada = { firstName: 'Ada', lastName: 'Byron' }

/** Counts calls of the browser's print dialog instead of opening it. */
async function countPrints(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    window.print = () => {
      const { dataset } = document.documentElement
      dataset['prints'] = String(Number(dataset['prints'] ?? '0') + 1)
    }
  })
  return () => page.evaluate(() => Number(document.documentElement.dataset['prints'] ?? '0'))
}

const mm = (points: string | undefined) => Math.round((Number(points) / 72) * 25.4)

/** The width and height of the printed pages, in mm. */
async function pagesOf(page: Page): Promise<{ width: number; height: number }[]> {
  const pdf = await page.pdf({ preferCSSPageSize: true })
  const boxes = pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)
  return Array.from(boxes, ([, width, height]) => ({ width: mm(width), height: mm(height) }))
}

test(
  'a redemption has a slip on both papers',
  { tag: '@chromium' },
  async ({ page, startSession, shop }) => {
    const customer = await shop.customer('aurora', ada)
    await shop.coupon('aurora', customer)
    await startSession('aurora')
    const prints = await countPrints(page)
    const keys = listenForRedeems(page)
    await openMember(page, 'aurora', customer.memberCode)
    await couponTicket(page).getByRole('button').click()
    await sheet(page).getByRole('button', { name: 'Redeem coupon' }).click()
    await sheet(page)
      .getByRole('button', { name: english('slip.open') })
      .click()

    const slip = page.locator('[data-slip]')
    await expect(slip).toBeVisible()
    const short = (keys[0] ?? '').slice(0, 8).toUpperCase().replace(/^..../, '$&-')
    for (const part of ['Aurora Coffee', 'Bryant Park', birthday, 'A•••n', short]) {
      await expect(slip).toContainText(part)
    }
    await expect(slip).not.toContainText('Byron')
    await expect(slip).not.toContainText(customer.mobile.slice(-4))
    await expect(slip.getByRole('img', { name: `Code of slip ${short}` })).toBeVisible()

    const dialog = sheet(page).filter({ has: slip })
    const print = dialog.getByRole('button', { name: english('tx.print') })
    await print.click()
    expect(await prints()).toBe(1)
    const [roll, ...more] = await pagesOf(page)
    expect(roll?.width).toBe(72)
    expect(more, 'more than one page of the roll').toEqual([])
    await dialog.getByRole('radio', { name: 'A6' }).check()
    await print.click()
    expect(await pagesOf(page)).toEqual([{ width: 105, height: 148 }])
  },
)

test('a scanned slip leads to its entry in My shift', async ({ page, startSession, shop }) => {
  const customer = await shop.customer('aurora', ada)
  await shop.coupon('aurora', customer)
  await shop.coupon('aurora', customer, 'WELCOME')
  const clerk = await shop.clerk('aurora')
  await startSession('aurora', clerk)
  const keys = listenForRedeems(page)
  await openMember(page, 'aurora', customer.memberCode)
  for (const name of [birthday, 'Welcome, 3.00 off']) {
    await couponTicket(page, name).getByRole('button').click()
    await sheet(page).getByRole('button', { name: 'Redeem coupon' }).click()
    await sheet(page).getByRole('button', { name: 'Done' }).click()
    await expect(sheet(page)).toBeHidden()
  }
  await scan(page, `OP-${(keys[0] ?? '').toUpperCase()}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(english('shift.title'))
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(birthday)
  await rows.getByRole('button').click()
  await expect(sheet(page).getByRole('button', { name: english('undo.do') })).toBeVisible()
  await sheet(page)
    .getByRole('button', { name: english('common.cancel') })
    .click()
  await page.getByRole('link', { name: english('slip.all') }).click()
  await expect(rows).toHaveCount(2)
})
