import { companyNamed } from '@tillside/server/company/find'
import { statement } from '@tillside/server/database/database'
import { findMemberId } from '@tillside/server/member/look-up'
import * as z from 'zod/mini'
import { demoDatabase } from '../../support/demo/database.ts'
import type { Customer } from '../../support/demo/shop.ts'
import { openMember } from '../../support/portal/member-page.ts'
import { expect, test, type Page } from '../../support/fixtures.ts'

// The tier card on the member's page.

const endPeriod = statement(
  `update member_tier set start_date = '2024-01-01', expiry_date = '2024-12-31'
   where company_id = $1 and member_id = $2`,
  z.unknown(),
)

/** A period that ended long ago, as it is stored until the job has reviewed the tier. */
async function endTier(company: string, { memberCode }: Customer): Promise<void> {
  const database = demoDatabase()
  const id = await companyNamed(database, company)
  await database.transaction(id, async (tx) => {
    await tx.run(endPeriod, [id, await findMemberId(tx, id, memberCode)])
  })
}

const fontSize = (text: Element) => Number.parseFloat(getComputedStyle(text).fontSize)
const card = (page: Page) => page.locator('.tier-surface')

test('a tier past its last day is marked until its review', async ({
  page,
  startSession,
  shop,
}) => {
  const [late, usual] = [await shop.customer('aurora'), await shop.customer('aurora')]
  await endTier('aurora', late)
  await startSession('aurora')
  await openMember(page, 'aurora', late.memberCode)
  await expect(card(page)).toContainText('The period before ended on 31/12/2024.')
  // The search says the same before the member is opened.
  await page.goto('/aurora/member/search/index')
  await page.getByRole('textbox', { name: 'Mobile' }).fill(late.mobile)
  const peek = page.getByRole('button', { name: /Open$/ })
  await expect(peek).toContainText('The period before ended on 31/12/2024.')
  await page.getByRole('textbox', { name: 'Mobile' }).fill(usual.mobile)
  await expect(peek).not.toContainText('The period before')
  await expect(peek).toContainText('Associate')
  await openMember(page, 'aurora', usual.memberCode)
  await expect(card(page)).toContainText('since')
  await expect(card(page)).not.toContainText('The period before')
})

test('the gap is the largest number, and in the dark the card is dark', async ({
  page,
  startSession,
  shop,
}) => {
  const { memberCode } = await shop.customer('aurora')
  await startSession('aurora')
  await page.emulateMedia({ colorScheme: 'dark' })
  await openMember(page, 'aurora', memberCode)
  const gap = card(page)
    .getByText(/^300\.00$/)
    .first()
  await expect(gap).toBeVisible()
  const all = await page
    .getByText(/^[\d,.]+$/)
    .evaluateAll((texts) => texts.map((text) => Number.parseFloat(getComputedStyle(text).fontSize)))
  expect(await gap.evaluate(fontSize)).toBe(Math.max(...all))
  const [red = 255, green = 255, blue = 255] = await card(page).evaluate((surface) =>
    (getComputedStyle(surface).backgroundColor.match(/\d+/g) ?? []).map(Number),
  )
  expect(Math.max(red, green, blue), 'the surface is dark').toBeLessThan(64)
})
