import type { Page } from '@playwright/test'
import { couponTicket, sheet } from '../../support/portal/member-page.ts'
import { expect } from '../../support/fixtures.ts'
import { test } from '../../support/judges/inspect.ts'
import { english } from '../../support/portal/catalogue.ts'

// A practice company cannot be mistaken for the real one, and ticks the jobs that a clerk does.

const bar = (page: Page) => page.getByRole('note').filter({ hasText: 'PRACTICE' })

/** The width of the stripes at the edge of the window, in pixels. */
const frame = (page: Page) =>
  page.evaluate(() => {
    const { position, borderTopWidth, pointerEvents } = getComputedStyle(
      document.documentElement,
      '::after',
    )
    return [position, borderTopWidth, pointerEvents]
  })

test(
  'every page of a practice company is marked',
  { tag: '@both' },
  async ({ page, shop, startSession }) => {
    const real = await shop.company()
    const practice = await shop.practice(real)
    const isMarked = async (path: string) => {
      await page.goto(`/${practice}${path}`)
      await expect(bar(page)).toBeVisible()
      expect(await frame(page)).toEqual(['fixed', '6px', 'none'])
      await expect(page).toHaveTitle(/^PRACTICE · /)
    }
    await isMarked('/login')
    // The login form leaves for the portal as soon as there is a session.
    await page.goto('about:blank')
    await startSession(practice, 'full')
    const member = '?cardNumber=9900000010001'
    for (const path of [
      '/index',
      '/member/search/index',
      '/member/search/register',
      ...['view', 'coupon', 'point', 'transaction'].map((tab) => `/member/home/${tab}${member}`),
      '/shift',
      '/manual',
      '/manual/find-member',
      '/rules',
      '/nowhere',
    ]) {
      await isMarked(path)
    }
    await page.goto(`/${real}/login`)
    await expect(page.getByRole('textbox').first()).toBeVisible()
    await expect(bar(page)).toHaveCount(0)
    expect((await frame(page))[0]).not.toBe('fixed')
  },
)

test(
  'a clerk practises a job, and it is ticked',
  { tag: '@both' },
  async ({ page, user, shop, startSession, inspect }) => {
    const practice = await shop.practice(await shop.company())
    // The login form leaves for the portal as soon as there is a session.
    await page.goto('about:blank')
    await startSession(practice, 'full')
    await page.goto(`/${practice}/index`)
    const count = page.getByRole('button', { name: /^Practice tasks: / })
    await expect(count).toHaveText('Practice tasks: 0 of 9 done')
    await user.tap(count)
    const tasks = page.getByRole('listitem')
    const task = (name: string) =>
      tasks.filter({ has: page.getByRole('link', { name, exact: true }) })
    await expect(task('Redeem a coupon').getByRole('img', { name: 'done' })).toHaveCount(0)
    await inspect('practice tasks')
    await user.tap(task('Redeem a coupon').getByRole('link'))
    await expect(page.getByRole('heading', { name: 'Redeem a coupon' })).toBeVisible()

    await page.goto(`/${practice}/member/home/coupon?cardNumber=9900000010001`)
    await expect(count).toHaveText('Practice tasks: 1 of 9 done')
    await user.tap(couponTicket(page).first().getByRole('button', { name: 'Redeem' }))
    await user.tap(sheet(page).getByRole('button', { name: 'Redeem' }))
    await user.tap(sheet(page).getByRole('button', { name: english('common.done') }))
    await expect(count).toHaveText('Practice tasks: 2 of 9 done')
    await user.tap(count)
    await expect(task('Redeem a coupon').getByRole('img', { name: 'done' })).toBeVisible()
    await page.reload()
    await expect(count).toHaveText('Practice tasks: 2 of 9 done')
    await user.tap(count)
    await user.tap(page.getByRole('button', { name: 'Start the tasks again' }))
    await expect(count).toHaveText('Practice tasks: 0 of 9 done')
  },
)

test('a clerk who may do less has fewer tasks', async ({ page, shop, startSession }) => {
  const practice = await shop.practice(await shop.company())
  await startSession(practice, 'viewer')
  await page.goto(`/${practice}/index`)
  const count = page.getByRole('button', { name: /^Practice tasks: / })
  await expect(count).toHaveText('Practice tasks: 0 of 3 done')
})
