import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { scopes } from '@tillside/contract/integration/endpoint'
import { companyNamed } from '@tillside/server/company/find'
import { createKey } from '@tillside/server/staff/keys/key'
import type { Browser, Page } from '@playwright/test'
import { root } from '../../../tools/setup.mjs'
import { demoDatabase } from '../../support/demo/database.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import { expect, test } from '../../support/fixtures.ts'
import { axeViolationsOn } from '../../support/judges/axe.ts'

// The example of a till sells with loyalty through the integration interface alone.

/** Starts the till for NY001 of a company. */
async function startTill(company: string, tillside: string) {
  const database = demoDatabase()
  const id = await companyNamed(database, company)
  const terms = { name: 'Example till', scopes, stores: ['NY001'] }
  const { key } = await database.transaction(id, (tx) => createKey(tx, id, terms))
  const env = { ...process.env, KEY: key, TILLSIDE: `${tillside}/integration/v1`, PORT: '0' }
  const till = spawn(process.execPath, [join(root, 'examples/till/start.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let address = ''
  for await (const line of createInterface(till.stdout)) {
    address = / at (http:\S+)/.exec(line)?.[1] ?? ''
    if (address !== '') break
  }
  return {
    address,
    async stop() {
      till.kill('SIGTERM')
      await once(till, 'exit')
    },
  }
}

async function opened(browser: Browser, address: string, scheme: 'light' | 'dark'): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    colorScheme: scheme,
  })
  await page.goto(address)
  return page
}

const goods = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Goods' }).getByText(name)
const basket = (page: Page) => page.getByRole('region', { name: 'Basket' })
const receipt = (page: Page) => page.getByRole('region', { name: 'Receipt' })

async function find(page: Page, mobile: string): Promise<void> {
  await page.getByLabel('Phone number').fill(mobile)
  await page.getByRole('button', { name: 'Find' }).click()
}

test('sells with a coupon and points, and takes goods back @chromium', async ({
  browser,
  shop,
  baseURL,
}) => {
  test.setTimeout(90_000)
  const company = await shop.company('aurora')
  const ada = await shop.customer(company, { firstName: 'Ada', lastName: 'Byron' })
  await givePoints(company, ada, 2_000)
  await shop.coupon(company, ada, 'HOUSE', 'NY001')
  const till = await startTill(company, baseURL ?? '')
  const page = await opened(browser, till.address, 'light')

  await goods(page, 'House beans').click()
  await goods(page, 'House beans').click()
  await goods(page, 'Mug').click()
  await find(page, '2010000000')
  await expect(page.getByText('No Member Found')).toBeVisible()
  await find(page, ada.mobile)
  await page.getByRole('checkbox', { name: /House voucher/ }).check()
  // The company's rule, said before the customer pays.
  await page.getByLabel('Points to spend').fill('50')
  await expect(basket(page).getByRole('alert')).toContainText('500')
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeDisabled()
  await page.getByLabel('Points to spend').fill('500')
  await expect(basket(page)).toContainText('Coupons−10.00Points−5.00')
  expect(await axeViolationsOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Pay 33.00' }).click()

  await expect(receipt(page)).toContainText('Paid33.00Earned165 points')
  await page.getByRole('button', { name: 'Return one Mug' }).click()
  await expect(receipt(page)).toContainText(
    'Returned: 11.00 back, 166 points back, 55 points taken',
  )
  expect(await axeViolationsOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(page.getByLabel('Phone number')).toBeVisible()
  await page.close()
  await till.stop()
})

test('a sale without an answer is repeated and happens once @chromium', async ({
  browser,
  shop,
  baseURL,
}) => {
  test.setTimeout(90_000)
  const company = await shop.company('aurora')
  const eve = await shop.customer(company, { firstName: 'Eve', lastName: 'Moss' })
  await shop.coupon(company, eve, 'HOUSE', 'NY001')
  const till = await startTill(company, baseURL ?? '')
  const page = await opened(browser, till.address, 'dark')
  await goods(page, 'Tote bag').click()
  await find(page, eve.mobile)
  await page.getByRole('checkbox', { name: /House voucher/ }).check()
  await expect(basket(page)).toContainText('Coupons−10.00')
  // The sale happens, and its answer is lost.
  await page.route('**/api/sell', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Pay 14.00' }).click()
  await expect(basket(page).getByRole('alert')).toContainText('does not answer')
  await page.unroute('**/api/sell')
  expect(await axeViolationsOn(page)).toEqual([])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(receipt(page)).toContainText('Paid14.00')
  await page.getByRole('button', { name: 'Next customer' }).click()
  await find(page, eve.mobile)
  await expect(page.getByText('No coupons to use.')).toBeVisible()
  await page.close()
  await till.stop()
})
