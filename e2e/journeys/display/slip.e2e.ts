import type { Page } from '@playwright/test'
import { expect, test } from '../../support/fixtures.ts'
import { scan } from '../../support/browser/scanner.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import { english } from '../../support/portal/catalogue.ts'
import {
  birthday,
  couponTicket,
  listenForRedeems,
  openMember,
  sheet,
} from '../../support/portal/member-page.ts'

// The printed slips of acts at the counter, and the way back from its code to the redemption.

const ada = { firstName: 'Ada', lastName: 'Byron' }

/** Hears the requests that move value. @returns the Idempotency-Key of each, in order */
function listenForKeys(page: Page): string[] {
  const keys: string[] = []
  page.on('request', (request) => {
    const key = request.headers()['idempotency-key']
    if (key !== undefined) keys.push(key)
  })
  return keys
}

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

/** Each act at the counter that has a slip, up to its answer, and what its slip must name. */
const acts: {
  name: string
  tab: string
  act: (page: Page) => Promise<void>
  parts: string[]
}[] = [
  {
    name: 'redemption',
    tab: 'view',
    act: async (page) => {
      await couponTicket(page).getByRole('button').click()
      await sheet(page).getByRole('button', { name: 'Redeem coupon' }).click()
    },
    parts: [birthday],
  },
  {
    name: 'batch',
    tab: 'coupon',
    act: async (page) => {
      await page.getByRole('button', { name: 'Select several' }).filter({ visible: true }).click()
      await page.getByRole('button', { name: 'Select all' }).click()
      const redeem = { name: 'Redeem 2 coupons', exact: true }
      await page.getByRole('button', redeem).click()
      await sheet(page).getByRole('button', redeem).click()
    },
    parts: [birthday, 'Welcome, 3.00 off'],
  },
  {
    name: 'spending',
    tab: 'point-redeem',
    act: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'House blend' }).click()
      await sheet(page).getByRole('button', { name: 'Redeem 1,800 points' }).click()
    },
    parts: ['House blend, 250 g', '−1,800', 'Points now', '3,200'],
  },
  {
    name: 'issue',
    tab: 'coupon',
    act: async (page) => {
      const issue = { name: 'Issue coupon', exact: true }
      await page.getByRole('button', issue).filter({ visible: true }).first().click()
      await sheet(page).getByRole('radio', { name: 'With points' }).click()
      await sheet(page).getByRole('button', { name: 'Any handcrafted drink' }).click()
      await sheet(page).getByRole('button', issue).click()
    },
    parts: ['Any handcrafted drink', 'Points now', '3,800'],
  },
]

for (const { name, tab, act, parts } of acts) {
  test(
    `the slip of one ${name} fits both papers`,
    { tag: '@chromium' },
    async ({ page, startSession, shop }) => {
      const customer = await shop.customer('aurora', ada)
      for (const coupon of ['BIRTHDAY', 'WELCOME']) await shop.coupon('aurora', customer, coupon)
      await givePoints('aurora', customer, 5000)
      await startSession('aurora')
      const prints = await countPrints(page)
      const keys = listenForKeys(page)
      await page.goto(`/aurora/member/home/${tab}?code=${customer.memberCode}`)
      await act(page)
      await sheet(page)
        .getByRole('button', { name: english('slip.open') })
        .click()

      const slip = page.locator('[data-slip]')
      await expect(slip).toBeVisible()
      const short = (keys[0] ?? '').slice(0, 8).toUpperCase().replace(/^..../, '$&-')
      for (const part of ['Aurora Coffee', 'Bryant Park', 'A•••n', short, ...parts]) {
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
}

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
