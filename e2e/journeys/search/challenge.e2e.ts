import { languages } from '@tillside/contract/wire/language'
import { password } from '../../support/demo/api.ts'
import { expect, rowTag, test } from '../../support/fixtures.ts'
import { textsIn } from '../../support/portal/catalogue.ts'
import { openMember, sheet } from '../../support/portal/member-page.ts'

// After more different members than the company allows, the portal asks for the password, and then
// goes on with the look-up.

for (const [n, language] of languages.entries()) {
  const name = `many look-ups ask for the password: ${language}`
  test(name, rowTag(n, 1), async ({ page, user, startSession, shop }) => {
    const texts = textsIn(language)
    const text = (id: string) => texts.get(id) ?? ''
    const company = await shop.company('aurora', (definition) => ({
      ...definition,
      allowances: { ...definition.allowances, lookUps: { members: 1, minutes: 10 } },
    }))
    const [first, second] = [await shop.customer(company), await shop.customer(company)]
    await startSession(company, await shop.clerk(company))
    await openMember(page, company, first.memberCode)
    const next = `/${company}/member/home/view?code=${second.memberCode}&lang=${language}`
    await page.goto(next)
    await expect(sheet(page)).toHaveAccessibleName(text('confirm.title'))
    await expect(sheet(page)).toContainText(text('confirm.why'))
    const field = sheet(page).getByLabel(text('login.password'), { exact: true })
    const confirm = sheet(page).getByRole('button', { name: text('confirm.do') })
    await user.tap(confirm)
    await expect(field).toHaveAccessibleDescription(text('login.passwordReq'))
    await field.fill('Wrong#2026')
    await user.tap(confirm)
    await expect(field).toHaveAccessibleDescription(text('login.wrongPassword'))
    await field.fill(password)
    await user.tap(confirm)
    await expect(sheet(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText(second.memberCode).first()).toBeAttached()
  })
}
