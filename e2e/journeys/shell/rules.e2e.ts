import { languages } from '@tillside/contract/wire/language'
import { expect } from '../../support/fixtures.ts'
import { englishTextsOn } from '../../support/judges/language.ts'
import { test } from '../../support/judges/inspect.ts'
import { english, textsIn } from '../../support/portal/catalogue.ts'

// The rule book: the company's rules of points and tiers, with examples worked by the engine.

const titles = {
  'en-US': 'The rules of Aurora Coffee',
  'zh-CN': '极光咖啡会员规则',
  'zh-HK': '極光咖啡會員規則',
  'zh-TW': '極光咖啡會員規則',
}

test('opens from the company’s own page, and prints without the links around it', async ({
  page,
  user,
  startSession,
}) => {
  await startSession('aurora', 'ben')
  await page.goto('/aurora/static')
  await user.tap(page.getByRole('link', { name: english('rules.title') }))
  await expect(page).toHaveURL('/aurora/rules?from=static')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText(titles['en-US'])
  await expect(main.getByText('Each 1.00 paid earns 5 points.')).toBeVisible()
  await expect(main.getByText('A sale of 123.45 earns 617 points for')).toBeVisible()
  const green = main.getByRole('listitem').filter({ hasText: 'Green' })
  await expect(green).toContainText('300.00')
  await page.emulateMedia({ media: 'print' })
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(green).toBeVisible()
  await expect(page.getByRole('button', { name: english('tx.print') })).toBeHidden()
  await expect(page.getByRole('link', { name: english('common.back') })).toBeHidden()
})

const backs = [
  ['/aurora/static', '/aurora/static'],
  ['/aurora/manual', '/aurora/manual'],
  [null, '/aurora/index'],
] as const

for (const [from, target] of backs) {
  test(`leads back from ${from ?? 'its own address'}`, async ({ page, user, startSession }) => {
    await startSession('aurora')
    await page.goto(from ?? '/aurora/rules')
    const link = page.getByRole('link', { name: english('rules.title') })
    if (from !== null) await user.tap(link)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(titles['en-US'])
    await user.tap(page.getByRole('link', { name: english('common.back') }))
    await expect(page).toHaveURL(target)
  })
}

test('shows each company its own rules only', async ({ page, startSession }) => {
  await startSession('aurora')
  await page.goto('/lotus/rules?lang=en-US')
  await expect(page).toHaveURL(/^[^?]*\/lotus\/login\?/)
  const main = page.getByRole('main')
  for (const [company, name, earning] of [
    ['aurora', 'Aurora Coffee', 'Each 1.00 paid earns 5 points.'],
    ['lotus', 'Lotus Tea House', 'Each 1.00 paid earns 1 point.'],
  ] as const) {
    await startSession(company)
    await page.goto(`/${company}/rules?lang=en-US`)
    await expect(main.getByRole('heading', { level: 1 })).toHaveText(`The rules of ${name}`)
    await expect(main.getByText(earning)).toBeVisible()
  }
  await expect(main).not.toContainText('Aurora')
})

for (const language of languages) {
  test(`is readable in ${language}`, async ({ page, startSession, inspect }) => {
    await startSession('aurora')
    await page.goto(`/aurora/manual?lang=${language}`)
    const link = page.getByRole('main').getByRole('link')
    await link.filter({ hasText: textsIn(language).get('rules.title') ?? '?' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(titles[language])
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(9)
    expect(await englishTextsOn(page, language)).toEqual([])
    await inspect(`rules, ${language}`)
  })
}
