import { expect, test as base, type Page } from '../../support/fixtures.ts'
import { doubleText } from '../../support/browser/text-size.ts'
import { english } from '../../support/portal/catalogue.ts'

// Four ways to find a member, and the answers when none is found.

const test = base.extend<{ search: (method: string, text: string) => Promise<void> }>({
  search: async ({ page, user }, use) =>
    use(async (method, text) => {
      await user.tap(label(page, method))
      await field(page, method).fill(text)
      await user.press('Enter')
    }),
})

test.beforeEach(async ({ page, startSession }) => {
  await startSession('aurora')
  await page.goto('/aurora/member/search/index')
  await page.getByRole('heading', { name: english('search.title') }).waitFor()
})

const field = (page: Page, method: string) => page.getByRole('textbox', { name: method })
const label = (page: Page, method: string) =>
  page.getByRole('group', { name: 'Search by' }).getByRole('button', { name: method })
/** The kind of the typed text, which the page shows as an answer. */
const kind = (page: Page) => page.getByRole('main').getByRole('status').first()
const grace = (page: Page) => page.getByRole('heading', { name: 'Grace Lee', level: 1 })

const ways = [
  ['Mobile', '2015550123'],
  ['Mobile', '(201) 555-0123'],
  ['Mobile', '+1 201 555 0123'],
  ['Card no.', '6200000010001'],
  ['Card no.', '6200 0000 1000 1'],
  ['Member code', 'AUR10001'],
  ['Member code', 'aur-10001'],
  ['Email', 'grace.lee@example.com'],
  ['Email', 'Grace.Lee@Example.com'],
] as const
test('each method and each spelling finds Grace', async ({ page, user, search }) => {
  test.slow()
  for (const [method, text] of ways) {
    await test.step(`${method} ${text}`, async () => {
      await search(method, text)
      await expect(grace(page)).toBeVisible()
      await expect(page).toHaveURL('/aurora/member/home/view?code=AUR10001')
      await user.tap(page.getByRole('button', { name: 'Next customer' }))
    })
  }
})

const mistakes = [
  ['Mobile', '', english('search.mobileReq')],
  ['Card no.', '', english('search.cardReq')],
  ['Member code', '', english('search.codeReq')],
  ['Email', '', english('search.emailReq')],
  ['Mobile', '201555', english('search.mobileBad')],
  ['Member code', 'AUR_1', 'Only a-Z/0-9'],
  ['Email', 'grace.lee', english('search.emailBad')],
] as const
test('a mistake is answered at the field', async ({ page, search }) => {
  test.slow()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('getOneCustomer')) asked.push(request.url())
  })
  for (const [method, text, message] of mistakes) {
    await test.step(`${method} "${text}": ${message}`, async () => {
      await search(method, text)
      await expect(field(page, method)).toHaveAccessibleDescription(message)
      await expect(field(page, method)).toBeFocused()
      await field(page, method).press('7')
      await expect(field(page, method)).not.toHaveAccessibleDescription(message)
    })
  }
  expect(asked).toEqual([])
})

test('a wrong e-mail is noticed when the field is left', async ({ page }) => {
  await label(page, 'Email').click()
  await field(page, 'Email').fill('grace@')
  await field(page, 'Email').blur()
  await expect(field(page, 'Email')).toHaveAccessibleDescription(english('search.emailBad'))
})

const strangers = [
  ['Mobile', '2125559999', '(212) 555-9999'],
  ['Card no.', '6299999999999', '6299999999999'],
  ['Member code', 'NOBODY1', 'NOBODY1'],
  ['Email', 'nobody@example.com', 'nobody@example.com'],
] as const
test('a search that finds no member repeats the typed text', async ({ page, search }) => {
  test.slow()
  const result = page.getByRole('main').getByRole('alert')
  for (const [method, text, shown] of strangers) {
    await test.step(`${method} ${text}`, async () => {
      await search(method, text)
      await expect(result.getByRole('heading')).toHaveText(english('search.none'))
      await expect(result).toContainText(shown)
      await expect(field(page, method)).toHaveValue(shown)
      // One message: the silent code 111102 brings no toast.
      await expect(page.getByText(english('search.none'))).toHaveCount(1)
      await field(page, method).press('1')
      await expect(result).toBeHidden()
    })
  }
})

test(
  'the peek shows a masked name and tier, and opens no member by itself',
  { tag: '@both' },
  async ({ page }) => {
    await field(page, 'Mobile').fill('2015550123')
    const peek = page.getByRole('button', { name: /^G•••e.*Gold.*Open$/ })
    await expect(peek).toBeVisible()
    await expect(page.getByText('Grace')).toHaveCount(0)
    await expect(page).toHaveURL('/aurora/member/search/index')
    await field(page, 'Mobile').press('Backspace')
    await expect(peek).toBeHidden()
  },
)

test(
  'with letters of twice the size, the number and its member are wholly visible',
  { tag: '@chromium' },
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 780 })
    await doubleText(page)
    await field(page, 'Mobile').fill('2015550123')
    const peek = page.getByRole('button', { name: /^G•••e.*Gold.*Open$/ })
    await expect(peek).toBeInViewport({ ratio: 1 })
    await expect(field(page, 'Mobile')).toBeInViewport({ ratio: 1 })
  },
)

test('everything works with the keyboard alone', { tag: '@both' }, async ({ page, user }) => {
  const peek = page.getByRole('button', { name: /G•••e/ })
  await label(page, 'Card no.').focus()
  await page.keyboard.press('Enter')
  await expect(label(page, 'Card no.')).toHaveAttribute('aria-pressed', 'true')
  await expect(field(page, 'Card no.')).toBeFocused()
  await label(page, 'Card no.').focus()
  await page.keyboard.press('Enter')
  await expect(label(page, 'Card no.')).toHaveAttribute('aria-pressed', 'false')
  await expect(field(page, 'Mobile')).toBeFocused()
  await user.type('2015550123')
  await expect(peek).toBeVisible()
  // The scanner, the button to search and the four labels are on the way.
  for (let n = 0; n < 7 && !(await peek.evaluate((one) => one.matches(':focus'))); n++) {
    await page.keyboard.press('Tab')
  }
  await expect(peek).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(grace(page)).toBeVisible()
})

test('a pasted text is understood, and the page says its kind', async ({
  page,
  context,
  browserName,
}) => {
  // Firefox gets this permission at its start: firefox.ts.
  if (browserName === 'chromium') {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  }
  await field(page, 'Mobile').focus()
  await page.evaluate(() => navigator.clipboard.writeText(' grace.lee@example.com '))
  await page.keyboard.press('ControlOrMeta+V')
  await expect(field(page, 'Email')).toHaveValue('grace.lee@example.com')
  await expect(kind(page)).toHaveText('Email')
  await expect(label(page, 'Email')).toHaveAttribute('aria-pressed', 'false')
})

test('a method narrows one search, and the next one begins with every kind', async ({
  page,
  user,
  search,
}) => {
  await search('Card no.', '2015550123')
  const result = page.getByRole('main').getByRole('alert')
  await expect(result).toContainText('Searched by: Card no.')
  await user.tap(result.getByRole('button', { name: english('search.widen') }))
  await expect(grace(page)).toBeVisible()
  await page.goto('/aurora/member/search/index')
  await expect(label(page, 'Card no.')).toHaveAttribute('aria-pressed', 'false')
  await search('Email', 'grace.lee@example.com')
  await expect(grace(page)).toBeVisible()
  await page.goto('/aurora/member/search/index')
  await expect(label(page, 'Email')).toHaveAttribute('aria-pressed', 'false')
  expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toMatch(
    /search-method|calling-code/,
  )
})

test('the next customer begins with an empty field', async ({ page, user, search }) => {
  await search('Mobile', '2015550123')
  await expect(grace(page)).toBeVisible()
  await user.tap(page.getByRole('button', { name: 'Next customer' }))
  await expect(page).toHaveURL('/aurora/member/search/index')
  await expect(field(page, 'Mobile')).toHaveValue('')
  await expect(page.getByText('Grace')).toHaveCount(0)
})

test('a look-up that fails says so, and can be tried again', async ({
  page,
  user,
  search,
  browserErrors,
}) => {
  browserErrors.allow(/500/)
  const answer = { status: 500, body: '' }
  await page.route('**/getOneCustomer?*', (route) => route.fulfill(answer), { times: 1 })
  await search('Member code', 'AUR10001')
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    english('common.loadFailed'),
  )
  await user.tap(page.getByRole('button', { name: 'Try again' }))
  await expect(grace(page)).toBeVisible()
})

test('without a network the button says why it waits', async ({ page, network }) => {
  await network.cut()
  const button = page.getByRole('button', { name: 'Search' })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAccessibleDescription("You're offline.")
})

test('a number without a member can be registered, and the form receives it', async ({
  page,
  user,
  search,
}) => {
  await expect(page.getByRole('link', { name: english('search.register') })).toBeVisible()
  await search('Mobile', '2125559999')
  const register = page.getByRole('link', { name: english('search.registerThis') })
  await expect(register).toHaveAttribute('href', /register\?countryCode=1&mobile=2125559999$/)
  await user.tap(register)
  await expect(page).toHaveURL(/\/aurora\/member\/search\/register/)
})

test('a code has no field in the form, so only the customer is asked about', async ({
  page,
  search,
}) => {
  await search('Member code', 'NOBODY1')
  await expect(page.getByRole('heading', { name: english('search.none') })).toBeVisible()
  await expect(page.getByRole('link', { name: english('search.registerThis') })).toHaveCount(0)
})

test('the page reports a long wait, and the clerk may ask again', async ({
  page,
  search,
  user,
}) => {
  await page.clock.install()
  let asked = 0
  await page.route('**/getOneCustomer?*', async (route) => {
    asked += 1
    // The first question is never answered.
    if (asked > 1) await route.continue()
  })
  await search('Member code', 'AUR10001')
  await expect.poll(() => asked).toBe(1)
  await page.clock.runFor(3500)
  await expect(page.getByText('Still loading…')).toBeVisible()
  await page.clock.runFor(7000)
  await expect(page.getByText(english('slow.10'))).toBeVisible()
  await user.tap(page.getByRole('button', { name: 'Try again' }))
  await expect(grace(page)).toBeVisible()
})

test('leaving the page clears the typed text', async ({ page, user }) => {
  await field(page, 'Mobile').fill('2015550123')
  await user.tap(page.getByRole('link', { name: english('search.register') }))
  await expect(page.getByRole('heading', { name: english('search.title') })).toBeHidden()
  await page.goBack()
  await expect(field(page, 'Mobile')).toHaveValue('')
})
