import { couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, type Page, test } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

/** Counts in the page the frames painted since the last click, with and without a sheet. */
function countFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    const frames = { before: 0, with: 0, after: 0 }
    Object.assign(globalThis, { frames })
    addEventListener('click', () => Object.assign(frames, { before: 0, with: 0, after: 0 }), true)
    requestAnimationFrame(function count() {
      // Frame callbacks run before the paint, so a sheet that is here now is in this frame.
      const isOpen = document.querySelector('[role=dialog]') !== null
      if (isOpen) frames.with++
      else if (frames.with === 0) frames.before++
      else frames.after++
      requestAnimationFrame(count)
    })
  })
}

const frames = (page: Page) =>
  page.evaluate<{ before: number; with: number; after: number }>('frames')

test('a touch is painted before its sheet, and no frame is without one between two sheets', async ({
  page,
  user,
  startSession,
  shop,
}) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await couponTicket(page).waitFor()
  await page.evaluate(() => new Promise<unknown>((done) => requestIdleCallback(done)))
  await countFrames(page)
  const act = english('rdm.do')
  await user.tap(couponTicket(page).getByRole('button', { name: 'Redeem' }))
  await sheet(page).getByRole('button', { name: act }).waitFor()
  expect((await frames(page)).before).toBeGreaterThan(0)
  await user.tap(sheet(page).getByRole('button', { name: act }))
  await expect(sheet(page)).toHaveAccessibleName(english('rdm.ok'))
  await user.tap(sheet(page).getByRole('button', { name: 'Undo' }))
  await expect(sheet(page)).toHaveAccessibleName(english('undo.q'))
  expect(await frames(page)).toMatchObject({ before: 0, after: 0 })
})
