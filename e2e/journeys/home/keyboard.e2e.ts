import type { Locator } from '@playwright/test'
import { birthday, couponTicket, openMember, sheet } from '../../support/portal/member-page.ts'
import { expect, type Page, test as base } from '../../support/fixtures.ts'
import { withVerification, unusedMobile } from '../../support/demo/registration.ts'
import { givePoints } from '../../support/demo/test-points.ts'
import { scan } from '../../support/browser/scanner.ts'
import { english } from '../../support/portal/catalogue.ts'

// The clerk's eight tasks with the keyboard alone: every
// stop on the way is seen, and lies under nothing.

type Keys = {
  /** Goes on, stop by stop, until the target has the focus. */
  reach: (target: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>
  /** Reaches it and presses it. */
  enter: (target: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>
  press: (key: string) => Promise<void>
}

const test = base.extend<{ keys: Keys }>({
  keys: async ({ page }, use) => {
    const reach: Keys['reach'] = async (target, key = 'Tab') => {
      await expect(target).toBeVisible()
      for (let stops = 0; stops < 60; stops++) {
        if (await isFocused(target)) return
        await page.keyboard.press(key)
        expect(await unseen(page), 'what has the focus and does not show it').toBeNull()
      }
      throw new Error(`the keyboard does not reach ${String(target)}`)
    }
    await use({
      reach,
      press: (key) => page.keyboard.press(key),
      async enter(target, key) {
        await reach(target, key)
        await page.keyboard.press('Enter')
      },
    })
  },
})

const isFocused = (target: Locator) =>
  target.evaluate((element) => element === document.activeElement)

/** The focused element where it has no ring of two pixels or is covered; else null. */
function unseen(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    // A sheet that has just opened lets no pointer through, so that a hit test waits.
    for (const { animationName, finished } of document
      .getAnimations()
      .filter((one) => one instanceof CSSAnimation)) {
      if (animationName === 'hold') await finished.catch(() => undefined)
    }
    const one = document.activeElement
    if (one === null || one === document.body) return null
    const frames: Element[] = [one]
    // A field shows it by its frame, a choice by its label.
    for (const around of ['.field-frame', 'label', '.segment', '.choice', '.ticket', 'article']) {
      const frame = one.closest(around)
      if (frame !== null) frames.push(frame)
    }
    const hasRing = frames.some((frame) => {
      return ['', '::after'].some((part) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(frame, part)
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      })
    })
    const name = `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`.slice(0, 80)
    if (!hasRing) return `${name} has no ring`
    const { x, y, width, height } = one.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    const isClear = frames.some((frame) => top !== null && frame.contains(top))
    return isClear ? null : `${name} lies under ${top?.className ?? 'the edge of the window'}`
  })
}

const main = (page: Page) => page.getByRole('main')
const named = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** An act in a sheet: a sheet that has just opened takes no Enter yet, so it is pressed until. */
async function actUntil(keys: Keys, act: Locator, done: Locator): Promise<void> {
  await keys.reach(act)
  await expect(async () => {
    if (await act.isVisible()) await keys.press('Enter')
    await expect(done).toBeVisible({ timeout: 1000 })
  }).toPass()
}

async function openSearch(page: Page, company = 'aurora'): Promise<void> {
  await page.goto(`/${company}/member/search/index`)
  await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeFocused()
}

test('J1: a member is found by phone', async ({ page, startSession, keys }) => {
  await startSession('aurora')
  await openSearch(page)
  await page.keyboard.type('2015550123', { delay: 40 })
  await keys.press('Enter')
  // A screen reader reads the member's name first.
  await expect(page.getByRole('heading', { name: 'Grace Lee', level: 1 })).toBeFocused()
})

test('J2: a card is scanned and a coupon used', async ({ page, startSession, shop, keys }) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  await openSearch(page)
  await scan(page, customer.cardNumber)
  await keys.enter(couponTicket(page).getByRole('button', { name: `Redeem, ${birthday}` }))
  const question = named(page, english('rdm.q'))
  await expect(question.getByRole('heading', { name: english('rdm.q') })).toBeFocused()
  const done = named(page, english('rdm.ok'))
  await actUntil(keys, question.getByRole('button', { name: 'Redeem coupon', exact: true }), done)
  await keys.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
})

test('the first coupon is six keys away from an opened member', async ({
  page,
  startSession,
  shop,
  keys,
}) => {
  const customer = await shop.customer('aurora')
  await shop.coupon('aurora', customer)
  await startSession('aurora')
  await openSearch(page)
  await scan(page, customer.cardNumber)
  const redeem = couponTicket(page).getByRole('button', { name: `Redeem, ${birthday}` })
  await expect(redeem).toBeVisible()
  await keys.press('Alt+Digit1')
  await expect(page.locator('#tab-content')).toBeFocused()
  let presses = 1
  for (; presses < 6 && !(await isFocused(redeem)); presses++) await keys.press('Tab')
  await expect(redeem).toBeFocused()
  await keys.press('Enter')
  await expect(named(page, english('rdm.q'))).toBeVisible()
})

test('J3: who was not found is registered', async ({ page, startSession, shop, keys }) => {
  const company = await shop.company('aurora', withVerification({ mobile: false, email: false }))
  await startSession(company, await shop.clerk(company))
  await openSearch(page, company)
  await page.keyboard.type(unusedMobile().typed, { delay: 40 })
  await keys.press('Enter')
  await page.getByRole('heading', { name: english('search.none') }).waitFor()
  await keys.enter(page.getByRole('link', { name: english('search.registerThis') }).first())
  await expect(page.getByLabel('First name')).toBeFocused()
  await page.keyboard.type('Nora', { delay: 40 })
  await keys.reach(page.getByLabel('Last name'))
  await page.keyboard.type('Bell', { delay: 40 })
  const terms = page.getByRole('checkbox', { name: english('reg.terms') })
  await keys.reach(terms, 'Shift+Tab').catch(() => keys.reach(terms))
  await keys.press('Space')
  await expect(terms).toBeChecked()
  await keys.enter(page.getByRole('button', { name: 'Register', exact: true }))
  await expect(page.getByText('Nora Bell is now a member')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open member' })).toBeFocused()
})

test('J4: points for a reward', async ({ page, startSession, shop, keys }) => {
  const customer = await shop.customer('aurora')
  await givePoints('aurora', customer, 5000)
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await page.getByRole('navigation', { name: 'Member pages' }).waitFor()
  await keys.press('Alt+Digit4')
  await keys.enter(main(page).getByRole('button', { name: 'House blend, 250 g' }))
  const act = sheet(page).getByRole('button', { name: 'Redeem 1,800 points' })
  await actUntil(keys, act, named(page, 'Points redeemed'))
})

test('J5 and J7: the page shows the gap, and a receipt is two keys away', async ({
  page,
  startSession,
  keys,
}) => {
  await startSession('aurora')
  await openMember(page, 'aurora', 'AUR10001')
  await expect(page.getByText(/^to reach /)).toBeInViewport()
  await keys.press('Alt+Digit5')
  // The newest receipt is open already; the address names the receipt that the clerk chose.
  await expect(main(page).locator('[data-print]')).toBeVisible()
  await expect(page).toHaveURL('/aurora/member/home/transaction?code=AUR10001')
  await keys.enter(main(page).getByRole('listitem').getByRole('button').first())
  await expect(page).toHaveURL(/\/transaction\?code=AUR10001&/)
  await keys.press('ArrowDown')
  await expect(main(page).getByRole('listitem').getByRole('button').nth(1)).toBeFocused()
  await keys.press('Escape')
  await expect(page).toHaveURL('/aurora/member/home/transaction?code=AUR10001')
})

test('J6: a coupon is issued', async ({ page, startSession, shop, keys }) => {
  const customer = await shop.customer('aurora')
  await startSession('aurora')
  await openMember(page, 'aurora', customer.memberCode)
  await keys.enter(page.getByRole('link', { name: 'Issue coupon' }))
  const list = named(page, 'Issue coupon')
  const tote = 'Autumn tote, complimentary'
  const question = named(page, 'Issue this coupon to Ada Byron?')
  await actUntil(keys, list.getByRole('button', { name: tote }), question)
  const done = named(page, english('iss.ok'))
  await actUntil(keys, question.getByRole('button', { name: 'Issue coupon', exact: true }), done)
})

test('J8: the other language', async ({ page, startSession, shop, keys }) => {
  await startSession('aurora', await shop.clerk('aurora'))
  await openMember(page, 'aurora', 'AUR10001')
  await keys.enter(page.getByRole('button', { name: 'Settings' }), 'Shift+Tab')
  const wanted = page.getByRole('menuitemradio', { name: '繁體中文（香港）', exact: true })
  await wanted.waitFor()
  await expect(async () => {
    await keys.press('ArrowDown')
    expect(await isFocused(wanted)).toBe(true)
  }).toPass({ intervals: [50] })
  await keys.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-HK')
})

test('/ leads to the search, Alt+N to the next customer, and Alt+/ ends the bare key', async ({
  page,
  startSession,
  keys,
}) => {
  await startSession('aurora')
  await page.goto('/aurora/index')
  await page.getByRole('link', { name: 'Members' }).waitFor()
  // The shortcuts load a moment after the first picture of the page.
  await expect(async () => {
    await keys.press('/')
    await expect(page.getByRole('textbox', { name: 'Mobile' })).toBeFocused({ timeout: 1000 })
  }).toPass()
  await openMember(page, 'aurora', 'AUR10001')
  const next = page.getByRole('textbox', { name: 'Next member' })
  await next.waitFor()
  await keys.press('/')
  await expect(next).toBeFocused()
  // In a field it is a letter like any other. Two keys within 35 ms would be a scanner's.
  await page.waitForTimeout(100)
  await keys.press('/')
  await expect(next).toHaveValue('/')
  await keys.press('Alt+Slash')
  const told = page.getByText(english('keys.off'))
  await expect(told).toBeVisible()
  await expect(told).toBeHidden()
  await keys.reach(page.getByRole('link', { name: 'Coupons', exact: true }))
  await keys.press('/')
  await expect(page.getByRole('link', { name: 'Coupons', exact: true })).toBeFocused()
  await keys.press('Alt+KeyN')
  await expect(page).toHaveURL('/aurora/member/search/index')
})

test('Enter leads through the profile and saves behind its last field', async ({
  page,
  startSession,
  shop,
  keys,
}) => {
  const { memberCode } = await shop.customer('aurora')
  await startSession('aurora')
  await page.goto(`/aurora/member/home/userinfo?code=${memberCode}`)
  const [first, last] = [page.getByLabel('First name'), page.getByLabel('Last name')]
  await keys.reach(first)
  await page.keyboard.type('Augusta', { delay: 40 })
  await keys.press('Enter')
  await expect(last).toBeFocused()
  await expect(page.getByText('Saved', { exact: true })).toHaveCount(0)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  for (let fields = 0; fields < 40 && !(await isFocused(save)); fields++) {
    // A button between the fields is passed by the key for going on.
    const isButton = await page.evaluate(() => document.activeElement?.matches('button, select'))
    await keys.press(isButton === true ? 'Tab' : 'Enter')
  }
  await expect(save).toBeFocused()
  await keys.press('Enter')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})
