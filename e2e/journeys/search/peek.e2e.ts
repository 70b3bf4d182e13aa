import { getOneCustomer } from '@tillside/contract/member'
import { expect, type Page, test } from '../../support/fixtures.ts'
import { english } from '../../support/portal/catalogue.ts'

// The member of a complete number is asked for while the clerk types. Each look-up is audited and
// counts, so a number that is not complete asks for no member.

const field = (page: Page) => page.getByRole('textbox', { name: 'Mobile' })
const peek = (page: Page) => page.getByRole('button', { name: /Gold.*Open$/ })
/** A clerk's typing; faster keys are a scanner's. */
const typing = { delay: 100 }

async function openSearch(page: Page, company: string): Promise<void> {
  await page.goto(`/${company}/member/search/index?lang=en-US`)
  await page.getByRole('heading', { name: english('search.title') }).waitFor()
  // The library of phone numbers groups the digits.
  await field(page).fill(company === 'harbour' ? '5123' : '2015550')
  await expect(field(page)).not.toHaveValue(/^\d{5,}$/)
  await field(page).fill('')
}

function collectLookUps(page: Page): string[] {
  const lookUps: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith(getOneCustomer.path)) lookUps.push(searchParams.get('mobile') ?? '')
  })
  return lookUps
}

for (const [company, number] of [
  ['harbour', '51234567'],
  ['aurora', '2015550123'],
] as const) {
  const once = `${company}: a number that is typed is asked for once, at its last key`
  test(once, async ({ page, startSession }) => {
    await startSession(company)
    const lookUps = collectLookUps(page)
    await openSearch(page, company)
    await field(page).focus()
    await page.keyboard.type(number, typing)
    await expect(peek(page)).toBeVisible()
    expect(lookUps).toEqual([number])
  })
}

test(
  'the next key ends a peek that has no answer yet',
  { tag: '@chromium' },
  async ({ page, startSession }) => {
    await startSession('harbour')
    await openSearch(page, 'harbour')
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    await page.route(`**${getOneCustomer.path}*`, async (route) => {
      await answered
      await route.fallback().catch(() => undefined)
    })
    await field(page).focus()
    const asked = page.waitForRequest(`**${getOneCustomer.path}*`)
    await page.keyboard.type('51234567', typing)
    await asked
    const ended = page.waitForEvent('requestfailed')
    await page.keyboard.press('Backspace')
    expect((await ended).failure()?.errorText).toContain('ERR_ABORTED')
    resolve()
    await page.keyboard.type('7', typing)
    await expect(peek(page)).toBeVisible()
  },
)

test('Enter while the peek is under way opens its member, with one look-up', async ({
  page,
  startSession,
}) => {
  await startSession('harbour')
  const lookUps = collectLookUps(page)
  await openSearch(page, 'harbour')
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  await page.route(`**${getOneCustomer.path}*`, async (route) => {
    await answered
    await route.fallback()
  })
  await field(page).focus()
  const asked = page.waitForRequest(`**${getOneCustomer.path}*`)
  await page.keyboard.type('51234567', typing)
  await asked
  await page.keyboard.press('Enter')
  await page.waitForTimeout(100)
  resolve()
  await expect(page).toHaveURL('/harbour/member/home/view?code=HAR10001')
  expect(lookUps).toEqual(['51234567'])
})

test('a card that begins like a mobile number looks no other member up', async ({
  page,
  startSession,
}) => {
  await startSession('harbour')
  await openSearch(page, 'harbour')
  await field(page).focus()
  await page.keyboard.type('51234567', typing)
  await peek(page).click()
  await expect(page).toHaveURL('/harbour/member/home/view?code=HAR10001')
  await page.goBack()
  const lookUps = collectLookUps(page)
  await field(page).fill('')
  await field(page).focus()
  // 6200 0000 is a complete number of Hong Kong.
  await page.keyboard.type('6200000030001', typing)
  await page.waitForTimeout(500)
  expect(lookUps).toEqual([])
})
